/* text2bin < TEXT > FILE: what is written as text and assembled, as a command: for scripts, and for the files of test/ whose names
 * end with .asm, which the Makefile assembles. The first word that is in no comment says which text it is: of coff_text.h, of
 * elf_text.h, or of bytes_text.h. */
#include <stdio.h>

#include "bytes_text.h"
#include "coff_text.h"
#include "elf_text.h"

static bool begins_with(const char *text, const char *word)
{
	while (*text == '#' || *text == '\n')
		text += strcspn(text, "\n") + (*text == '\n');
	return !strncmp(text, word, strlen(word)) && text[strlen(word)] == ' ';
}

static void write_coff(const char *text)
{
	struct coff_text *coff = make_coff_of_text(text);

	fwrite(coff->data, 1, coff->bytes, stdout);
	free_coff_of_text(coff);
}

static void write_elf(const char *text)
{
	struct elf_text *elf = make_elf_of_text(text);

	fwrite(elf->elf.data, 1, elf->elf.bytes, stdout);
	free_elf_of_text(elf);
}

static void write_bytes(const char *text)
{
	struct bytes_text *bytes = make_bytes_of_text(text);

	fwrite(bytes->data, 1, bytes->bytes, stdout);
	free_bytes_of_text(bytes);
}

int main(void)
{
	static char text[1 << 20];

	text[fread(text, 1, sizeof text - 1, stdin)] = 0;
	if (begins_with(text, "coff"))
		write_coff(text);
	else if (begins_with(text, "elf"))
		write_elf(text);
	else
		write_bytes(text);
	return ferror(stdin) || fflush(stdout) || ferror(stdout) ? 1 : 0;
}
