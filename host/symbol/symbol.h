/* symbol: address → function extent and name, for one file. Each symbol format is a struct symbol_format (format.h).
 *
 * Extents early, names late: the model looks up extents when it folds an event, and names once for each printed function. */
#ifndef DWELL_HOST_SYMBOL_SYMBOL_H
#define DWELL_HOST_SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* A function of a file, from its text symbols; aliases at one address are merged. A table is sorted by address. */
struct symbol {
	uint64_t address; /* link-time address, as in the file, with the Thumb bit cleared.
			     In a file that is not linked yet, sections follow each other */
	uint64_t size;    /* never 0, never reaches into the next symbol; derived if the file has 0 */
	const char *name; /* mangled, as in the file. The preferred alias: a function before an untyped label
			     before the name of a section; then global before weak before local; then the shortest;
			     then the first in byte order. Or all aliases, see symbol_choice. Names of COFF lack
			     the underscore that the compiler puts before names of C. Any bytes, any length */
};

/* The choice of names. Zeroed: every function has its preferred name. */
struct symbol_choice {
	bool globals_only; /* use only names visible to other files of the program: functions without one are extents (below) */
	bool all_names;    /* join all names at one address, in byte order, with SYMBOL_JOIN: ".text - SL2MemoryBufInit" */
};
#define SYMBOL_JOIN " - "

struct symbol_table;

/* The expected build of the file, and the choice of names. Zeroed: any. */
struct symbol_request {
	const uint8_t *build_id; /* must equal the file's */
	size_t build_id_bytes;
	bool required; /* the user named this file, so a diag about an unreadable file is an error rather than a warning */
	struct symbol_choice choice;
};

enum symbol_state {
	SYMBOL_READ,       /* the table has the file's symbols; a stripped file has only extents */
	SYMBOL_MISSING,    /* cannot be opened or read */
	SYMBOL_FOREIGN,    /* no object file of a format that dwell reads */
	SYMBOL_MISMATCHED, /* another build */
};

/* Reads the symbols of path. Never null. A file that is missing, foreign or of another build gives an empty table
 * and a diag; a stripped file gives extents, and no diag. A damaged file gives the intact symbols and a diag. */
struct symbol_table *make_symbol_table(const char *path, const struct symbol_request *request, struct diag *diag);
/* Makes a table of the symbols in a recording, in any order. The names stay the caller's, and must outlive the table. A symbol with
 * an empty name becomes an extent. Null: no memory. */
struct symbol_table *make_recorded_symbol_table(const struct symbol *symbols, size_t count);
void free_symbol_table(struct symbol_table *table); /* null is allowed */

/* For listing: symbols in order of address; null if index is not below the count. */
size_t symbol_count(const struct symbol_table *table);
const struct symbol *symbol_at(const struct symbol_table *table, size_t index);

/* Returns the symbol whose extent holds the link-time address, or null. Binary search. Also finds stubs of the procedure linkage
 * table, which symbol_at does not list: "write@plt". */
const struct symbol *symbol_find(const struct symbol_table *table, uint64_t address);

/* Returns whether name is the symbol's name, or one of several (symbol_choice; then only the first 4096 bytes are searched). */
bool symbol_has_name(const struct symbol_table *table, const struct symbol *symbol, const char *name);

/* Returns whether the symbol is a part that the compiler split off a function, such as rarely taken branches (main.cold). */
bool symbol_is_part(const struct symbol *symbol);
/* Returns the symbol of the function that a part belongs to; the part itself if the table has no such symbol, or several. Slow:
 * compares all names of the table. */
const struct symbol *symbol_find_whole(const struct symbol_table *table, const struct symbol *part);

/* A function without a symbol, found in the unwind tables of a file with exports only, or without
 * symbols. A part that the compiler moved away is a function of its own here. Functions without a
 * wanted name (symbol_choice) are extents, too. Sorted; no extent shares an address with a symbol. */
struct symbol_extent {
	uint64_t address, size;
};
size_t symbol_extent_count(const struct symbol_table *table);
const struct symbol_extent *symbol_extent_at(const struct symbol_table *table, size_t index);
/* Returns the extent that holds the link-time address, or null. */
const struct symbol_extent *symbol_extent_find(const struct symbol_table *table, uint64_t address);

/* Longest name displayed whole; longer names are cut and end in "...". */
#define SYMBOL_DISPLAY_BYTES_MAX 65536

/* Returns the name as a programmer writes it: C++, Rust and D demangled; module::procedure for modules of Fortran. Without the
 * symbol version (@@GLIBC_2.34), and without the hash of Rust names. Suffixes of compilers (.part.0, .constprop.0, .isra.0) stay.
 * Converts each of several joined names (symbol_choice). The caller frees the text; null: no memory. Copies names that libiberty
 * cannot demangle, names above 16384 bytes, and D names that are too costly. Hostile names take bounded time and memory. */
char *make_symbol_display_name(const char *name);

/* Returns the display name without the details that distinguish functions of one name: arguments and result type; for C, the
 * compiler's copy (.constprop.0, .isra.0); for kernel code, the suffix ([disk]). The caller frees the text; null: the name has no
 * such details, or no memory. */
char *make_symbol_plain_name(const char *name);

enum symbol_state symbol_state(const struct symbol_table *table);
/* "ELF", "GEMDOS", "TI COFF", "TI map", "JIT map", "none", or "told" for make_recorded_symbol_table: for people. */
const char *symbol_format(const struct symbol_table *table);
/* 4 or 8; 0: unknown. */
uint32_t symbol_pointer_bytes(const struct symbol_table *table);
/* Whether bit 0 of a code address may select the processor's state (Thumb, MIPS16): all addresses here have the bit cleared. */
bool symbol_has_state_bit(const struct symbol_table *table);
/* Whether the file can be loaded at any address: addresses in memory then differ from the file's. */
bool symbol_is_position_independent(const struct symbol_table *table);

#endif
