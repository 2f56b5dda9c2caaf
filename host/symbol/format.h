/* The slot: what each symbol format gives. To add one: a file here with its member, a declaration below and a row in formats.c. */
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
	const struct symbol_want *want;
	enum diag_level level; /* of a diag about what stops the file from being read */
	struct diag *diag;
};

#define SYMBOL_HEAD_BYTES 512

/* All of size bytes at offset, into memory of the caller. False: they are not all there. */
bool symbol_input_read(const struct symbol_input *input, uint64_t offset, void *into, size_t size);

struct symbol_format {
	const char *name;
	/* Whether the file is of this format: by its head alone. */
	bool (*claims)(struct bytes head);
	/* Adds the file's symbols. Tells input->diag what is wrong with it. */
	enum symbol_state (*read)(const struct symbol_input *input, struct symbol_table *table);
};

extern const struct symbol_format symbol_format_elf;
extern const struct symbol_format symbol_format_gemdos;
extern const struct symbol_format symbol_format_coff;
extern const struct symbol_format symbol_format_ti_map;
extern const struct symbol_format symbol_format_none; /* the null member: claims everything and explains what it is */

#endif
