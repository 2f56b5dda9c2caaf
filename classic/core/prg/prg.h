/* SPDX-License-Identifier: MIT
 *
 * GEMDOS programs (.PRG, .TOS, .TTP, .APP of the Atari ST): reads the header and the text symbols
 * of the tables that its compilers wrote. The profiler on the ST and the host compile this folder.
 *
 *     dwell_prg_open(&prg, read, context, file_bytes);
 *     if (dwell_prg_header(&prg))
 *             dwell_prg_symbols(&prg, take, context);
 *     …prg.kind, prg.taken, prg.cut, prg.outside…
 *
 * A table ends at the end of the file at the latest, whatever its header says. The readers never
 * read outside the file, nothing recurses, and the time is proportional to the file's size.
 *
 *     DRI     14 bytes: 8 of name, type, value. Digital Research's linker, Alcyon C and most that followed
 *     GST     the same; a flag in the type makes the next 14 bytes part of the name: 22 in all. HiSoft, GST
 *     a.out   MiNT's GCC: nlist of 12 bytes and a string table behind it
 *     ELF     MiNT's GCC since 2023: an ELF file whose first bytes are the GEMDOS header
 *     l.out   Mark Williams C: a table of its own behind the fix-ups. Written from documentation only: experimental
 */
#ifndef DWELL_CLASSIC_CORE_PRG_H
#define DWELL_CLASSIC_CORE_PRG_H

#include <stdbool.h>
#include <stdint.h>

#define DWELL_PRG_MAGIC 0x601A
#define DWELL_PRG_HEADER_BYTES 28
#define DWELL_PRG_NAME_BYTES 512 /* longer names are cut */

enum dwell_prg_kind {
	DWELL_PRG_NO_TABLE,
	DWELL_PRG_DRI, /* and no long name was found */
	DWELL_PRG_GST,
	DWELL_PRG_AOUT,
	DWELL_PRG_ELF,
	DWELL_PRG_MARK_WILLIAMS,
};

/* A cached part of the file. There are two, because entries and names are read alternately. */
struct dwell_prg_window {
	uint32_t start, bytes;
	uint8_t data[DWELL_PRG_NAME_BYTES];
};

struct dwell_prg {
	/* Reads exactly this many bytes at offset; false: the read failed. */
	bool (*read)(void *context, uint32_t offset, uint8_t *into, uint32_t bytes);
	void *context;
	uint32_t file_bytes;
	struct dwell_prg_window entries, names;
	char name[DWELL_PRG_NAME_BYTES + 1];
	/* The header. */
	uint32_t text_bytes, data_bytes, bss_bytes, symbol_bytes, reserved;
	bool has_fixups;
	/* The results. */
	enum dwell_prg_kind kind;
	uint32_t taken;     /* text symbols that take received */
	uint32_t outside;   /* text symbols with a value outside the text: not taken */
	uint32_t nameless;  /* text symbols whose name is not in the file: not taken */
	uint32_t table_at, table_bytes; /* of entries, as the header declares them */
	bool unsorted;      /* a text symbol came before one with a lower value */
	bool cut;           /* the file or the table is truncated */
	bool unreadable;    /* read returned false */
};

struct dwell_prg_symbol {
	const char *name;  /* not empty; only until take returns */
	uint32_t value;    /* from the start of the text; below text_bytes */
	uint32_t bytes;    /* 0: the table has no size */
	bool is_global;
	bool is_label;     /* marked as no function, or without a mark in a table that marks functions */
};

void dwell_prg_open(struct dwell_prg *prg, bool (*read)(void *context, uint32_t offset, uint8_t *into, uint32_t bytes),
	void *context, uint32_t file_bytes);

/* False: no GEMDOS program, or its text is truncated (cut). */
bool dwell_prg_header(struct dwell_prg *prg);

/* Calls take for every text symbol that may be a function, in the file's order; take returns false to stop.
 * Names of files, marks of compilers and numbered labels are left out. pre: dwell_prg_header returned true. */
void dwell_prg_symbols(struct dwell_prg *prg, bool (*take)(void *context, const struct dwell_prg_symbol *symbol), void *context);

/* Returns the bytes of the longest name that such a table holds. */
uint32_t dwell_prg_name_bytes_max(enum dwell_prg_kind kind);

/* "DRI", "GST", …: for messages. */
const char *dwell_prg_kind_name(enum dwell_prg_kind kind);

#endif
