/* none: the format of files without symbols; reports the probable kind of file. */
#include <stdio.h>
#include <string.h>

#include "symbol/format.h"

#define EXPECTED "expected an object file (ELF, GEMDOS or TI COFF) or the map of a TI linker"
#define KNOWN(magic, what) {magic, sizeof(magic) - 1, what}

/* The first bytes of well-known kinds of files, and what the message calls such a file. */
static const struct {
	const char *magic;
	size_t bytes;
	const char *what;
} known_kinds[] = {
	KNOWN("#!", "a script (name the program that runs it)"),
	KNOWN("!<arch>\n", "an archive (name one of its members, extracted)"),
	KNOWN("!<thin>\n", "an archive (name one of its members)"),
	KNOWN("\x89" "dwell", "a dwell trace (`dwell report` reads it)"),
	KNOWN("\x1f\x8b", "compressed by gzip"),
	KNOWN("\xfd" "7zXZ", "compressed by xz"),
	KNOWN("\x28\xb5\x2f\xfd", "compressed by zstd"),
	KNOWN("MZ", "a Windows or DOS program"),
	KNOWN("\xcf\xfa\xed\xfe", "a Mach-O file"),
	KNOWN("\xce\xfa\xed\xfe", "a Mach-O file"),
	KNOWN("\xca\xfe\xba\xbe", "a Mach-O file for several machines, or a Java class"),
	KNOWN("\0asm", "a WebAssembly module"),
	KNOWN("BC\xc0\xde", "LLVM bitcode (compile without -flto, or name the linked program)"),
	KNOWN("\x7f" "EL", "a cut ELF file"),
};

static bool claims(struct bytes head)
{
	(void)head;
	return true;
}

static enum symbol_state read_none(const struct symbol_input *input, struct symbol_table *table)
{
	struct bytes head = input->head;
	char hex[3 * 8 + 1] = "";

	(void)table;
	if (!head.size) {
		diag_add(input->diag, input->level, input->path, 0, "an empty file, " EXPECTED);
		return SYMBOL_FOREIGN;
	}
	for (size_t i = 0; i < sizeof known_kinds / sizeof *known_kinds; i++) {
		if (bytes_have(head, 0, known_kinds[i].bytes) && !memcmp(head.data, known_kinds[i].magic, known_kinds[i].bytes)) {
			diag_add(input->diag, input->level, input->path, 0, "%s, " EXPECTED, known_kinds[i].what);
			return SYMBOL_FOREIGN;
		}
	}
	for (size_t i = 0; i < head.size && i < 8; i++)
		snprintf(hex + 3 * i, 4, " %02x", head.data[i]);
	diag_add(input->diag, input->level, input->path, 0,
		"begins with%s, expected an object file (ELF: 7f 45 4c 46, GEMDOS: 60 1a, TI COFF: c2 00 or 00 c2) or the map of a TI linker", hex);
	return SYMBOL_FOREIGN;
}

const struct symbol_format symbol_format_none = {"none", claims, read_none};
