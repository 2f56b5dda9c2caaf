/* SPDX-License-Identifier: MIT
 *
 * GEMDOS programs (.PRG, .TOS, .TTP, .APP of the Atari ST): the header, and the text symbols of the tables that its compilers left
 * behind. Compiled into the profiler that runs on the ST and into the host.
 *
 *     dwell_prg_open(&prg, read, context, file_bytes);
 *     if (dwell_prg_header(&prg))
 *             dwell_prg_symbols(&prg, take, context);
 *     …prg.kind, prg.taken, prg.cut, prg.outside…
 *
 * A table ends where the file ends, whatever its header says; nothing is read that is not there, nothing recurses, and the time is
 * proportional to the file's size.
 *
 *     DRI     14 bytes: 8 of name, type, value. Digital Research's linker, Alcyon C and most that followed
 *     GST     the same, and where the type says so the next 14 bytes are more of the name: 22 in all. HiSoft, GST
 *     a.out   MiNT's GCC: nlist of 12 bytes and a string table behind it
 *     ELF     MiNT's GCC since 2023: an ELF file whose first bytes are the GEMDOS header
 *     l.out   Mark Williams C: a table of its own behind the fix-ups. From documentation only, never seen: experimental
 */
#ifndef DWELL_CORE_PRG_H
#define DWELL_CORE_PRG_H

#include <stdbool.h>
#include <stdint.h>

#define DWELL_PRG_MAGIC 0x601A
#define DWELL_PRG_HEADER_BYTES 28
#define DWELL_PRG_NAME_BYTES 512 /* longer ones are cut */

enum dwell_prg_kind {
	DWELL_PRG_NO_TABLE,
	DWELL_PRG_DRI, /* and no long name was seen */
	DWELL_PRG_GST,
	DWELL_PRG_AOUT,
	DWELL_PRG_ELF,
	DWELL_PRG_MARK_WILLIAMS,
};

/* Two places of the file are read by turns: entries and names. */
struct dwell_prg_window {
	uint32_t start, bytes;
	uint8_t data[DWELL_PRG_NAME_BYTES];
};

struct dwell_prg {
	/* Reads exactly so many bytes at offset; false: it could not. */
	bool (*read)(void *context, uint32_t offset, uint8_t *into, uint32_t bytes);
	void *context;
	uint32_t file_bytes;
	struct dwell_prg_window entries, names;
	char name[DWELL_PRG_NAME_BYTES + 1];
	/* The header. */
	uint32_t text_bytes, data_bytes, bss_bytes, symbol_bytes, reserved;
	bool has_fixups;
	/* What was found. */
	enum dwell_prg_kind kind;
	uint32_t taken;     /* text symbols that were given away */
	uint32_t outside;   /* text symbols with a value that is not in the text: not among them */
	uint32_t nameless;  /* text symbols whose name is not in the file: not among them */
	uint32_t table_at, table_bytes; /* of entries, as it is said to be */
	bool unsorted;      /* a text symbol came before one with a lower value */
	bool cut;           /* the file, or the table, ends in the middle of it */
	bool unreadable;    /* read said no */
};

struct dwell_prg_symbol {
	const char *name;  /* not empty; only until take returns */
	uint32_t value;    /* from the start of the text; below text_bytes */
	uint32_t bytes;    /* 0: not said */
	bool is_global;
	bool is_label;     /* said to be no function, or not said to be one where others are */
};

void dwell_prg_open(struct dwell_prg *prg, bool (*read)(void *context, uint32_t offset, uint8_t *into, uint32_t bytes), void *context,
	uint32_t file_bytes);

/* False: no GEMDOS program, or not even its text is all there (cut). */
bool dwell_prg_header(struct dwell_prg *prg);

/* Gives every text symbol that may be a function to take, in the file's order; take says false to stop. Names of files, marks of
 * compilers and numbered labels are left out. pre: dwell_prg_header said true. */
void dwell_prg_symbols(struct dwell_prg *prg, bool (*take)(void *context, const struct dwell_prg_symbol *symbol), void *context);

/* "DRI", "GST", …: for people. */
const char *dwell_prg_kind_name(enum dwell_prg_kind kind);

#endif
