/* ELF as text and assembled: the small files of test/unit/symbol/tiny_elf.h, for machines that no compiler here is for.
 *
 *     elf 32 big 140 2                       width, byte order, machine (140: C6000), type (2: a program)
 *     symbol main 0x1000 8 func global 1     name, value, size, type, binding, section
 *
 * A # begins a comment. And what is wrong, in this order of bytes, behind where something begins (file, symbols, strings, headers):
 *
 *     put headers 0x88 4 0xffffffff          at 0x88 behind it, so many bytes, this number
 *     cut 100                                the file ends here */
#ifndef DWELL_TEST_ELF_TEXT_H
#define DWELL_TEST_ELF_TEXT_H

#include <stdio.h>

#include "unit/symbol/tiny_elf.h"

#define ELF_TEXT_SYMBOLS_MAX 64
#define ELF_TEXT_PUTS_MAX 16

struct elf_text {
	struct tiny_elf elf; /* its data are to be freed */
	unsigned width, machine, type;
	bool is_big;
	struct tiny_symbol symbols[ELF_TEXT_SYMBOLS_MAX];
	char names[ELF_TEXT_SYMBOLS_MAX][64];
	size_t count;
	struct elf_text_put {
		char where[16];
		unsigned long at, bytes, value;
	} puts[ELF_TEXT_PUTS_MAX];
	size_t put_count;
	unsigned long cut;
};

/* Its number; as one it may be written, too. */
static inline uint8_t elf_text_word(const char *word, const char *const *words)
{
	for (uint8_t i = 0; words[i]; i++)
		if (!strcmp(word, words[i]))
			return i;
	return (uint8_t)strtoul(word, NULL, 0);
}

static inline bool elf_text_read_symbol(struct elf_text *text, const char *line)
{
	static const char *const types[] = {"notype", "object", "func", "section", "file", NULL};
	static const char *const binds[] = {"local", "global", "weak", NULL};
	struct tiny_symbol *symbol = &text->symbols[text->count];
	char type[16], bind[16];
	unsigned long value, size, section;

	if (text->count == ELF_TEXT_SYMBOLS_MAX ||
		sscanf(line, "%*s %63s %li %li %15s %15s %li", text->names[text->count], &value, &size, type, bind, &section) != 6)
		return false;
	*symbol = (struct tiny_symbol){.name = text->names[text->count],
		.value = value,
		.size = size,
		.info = (uint8_t)(elf_text_word(bind, binds) << 4 | elf_text_word(type, types)),
		.section = (uint16_t)section};
	text->count++;
	return true;
}

static inline bool elf_text_read_line(struct elf_text *text, const char *line)
{
	struct elf_text_put *put = &text->puts[text->put_count];
	char word[16] = "", order[16];

	if (sscanf(line, "%15s", word) < 1 || *word == '#')
		return true;
	if (!strcmp(word, "elf"))
		return sscanf(line, "%*s %u %15s %u %u", &text->width, order, &text->machine, &text->type) == 4 &&
		       (text->width == 32 || text->width == 64) && ((text->is_big = !strcmp(order, "big")) || !strcmp(order, "little"));
	if (!strcmp(word, "symbol"))
		return elf_text_read_symbol(text, line);
	if (!strcmp(word, "cut"))
		return sscanf(line, "%*s %li", &text->cut) == 1;
	return !strcmp(word, "put") && text->put_count < ELF_TEXT_PUTS_MAX && ++text->put_count &&
	       sscanf(line, "%*s %15s %li %li %li", put->where, &put->at, &put->bytes, &put->value) == 4;
}

static inline bool elf_text_put(struct elf_text *text, const struct elf_text_put *put)
{
	struct tiny_elf *elf = &text->elf;
	size_t from = !strcmp(put->where, "symbols") ? elf->symtab
		      : !strcmp(put->where, "strings") ? elf->strtab
		      : !strcmp(put->where, "headers") ? elf->headers
						       : 0;
	size_t at = from + put->at, bytes = elf->bytes;

	if (put->bytes > 8 || at > bytes || put->bytes > bytes - at)
		return false;
	elf->bytes = at;
	tiny_put(elf, put->value, put->bytes);
	elf->bytes = bytes;
	return true;
}

/* The whole text; ends the program, with the line, where that is not as above. */
static inline struct elf_text *make_elf_of_text(const char *from)
{
	struct elf_text *text = calloc(1, sizeof *text);
	char line[512];

	if (!text)
		abort();
	text->cut = ~0ul;
	for (size_t bytes; *from; from += bytes + (from[bytes] == '\n')) {
		bytes = strcspn(from, "\n");
		snprintf(line, sizeof line, "%.*s", (int)(bytes < sizeof line - 1 ? bytes : sizeof line - 1), from);
		if (!elf_text_read_line(text, line)) {
			fprintf(stderr, "elf_text: '%s': not understood\n", line);
			exit(2);
		}
	}
	text->elf = make_tiny_elf(text->width == 64, text->is_big, (uint16_t)text->machine, (uint16_t)text->type, text->symbols,
		text->count);
	for (size_t i = 0; i < text->put_count; i++)
		if (!elf_text_put(text, &text->puts[i])) {
			fprintf(stderr, "elf_text: put %s 0x%lx: outside of the file\n", text->puts[i].where, text->puts[i].at);
			exit(2);
		}
	if (text->cut < text->elf.bytes)
		text->elf.bytes = text->cut;
	return text;
}

static inline void free_elf_of_text(struct elf_text *text)
{
	free(text->elf.data);
	free(text);
}

#endif
