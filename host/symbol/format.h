/* format: the interface of each symbol format: make_symbol_table (symbol.h) uses the first one that claims the file. A new format
 * is a file here that defines a struct symbol_format, a declaration below and a row in formats.c. */
#ifndef DWELL_HOST_SYMBOL_FORMAT_H
#define DWELL_HOST_SYMBOL_FORMAT_H

#include "symbol/symbol.h"
#include "symbol/table.h"
#include "util/bytes.h"

/* An open regular file. */
struct symbol_input {
	int fd;
	const char *path;
	uint64_t size;
	struct bytes head; /* its first bytes, at most SYMBOL_HEAD_BYTES */
	const struct symbol_request *request; /* never null */
	enum diag_level level; /* for diags about what stops the file from being read */
	struct diag *diag;
};

#define SYMBOL_HEAD_BYTES 512

/* Reads size bytes at offset. False: the file has fewer. */
bool symbol_input_read(const struct symbol_input *input, uint64_t offset, void *into, size_t size);

struct symbol_format {
	const char *name;
	/* Returns whether a file with this head is of the format. */
	bool (*claims)(struct bytes head);
	/* Adds the file's symbols; adds diags about damage. */
	enum symbol_state (*read)(const struct symbol_input *input, struct symbol_table *table);
};

extern const struct symbol_format symbol_format_elf;
extern const struct symbol_format symbol_format_jit_map;
extern const struct symbol_format symbol_format_none; /* the last resort: claims every file, and reports its probable kind */

#endif
