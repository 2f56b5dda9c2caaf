/* symbol: address → function extent and name, for one file. A slot with a member for each symbol format (format.h).
 *
 * Extents early, names late: the model asks for extents when an event is folded; names are asked once per function that is
 * printed. */
#ifndef DWELL_HOST_SYMBOL_SYMBOL_H
#define DWELL_HOST_SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* One function of a file: text symbols, sorted by address, aliases at one address merged. */
struct symbol {
	uint64_t address; /* as the file says (link-time), Thumb bit cleared. In a file that is not linked yet, sections are laid
	                     one behind the other */
	uint64_t size;    /* never 0, never reaches into the next one; derived where the file says 0 */
	const char *name; /* as the file says, mangled: the preferred one of aliases (a function before an untyped label before the
	                     name of a section; then global before weak before local; then the shortest; then the first in byte
	                     order), or all of them, see symbol_choice. Of COFF without the underscore that the compiler puts
	                     before names of C. Any bytes, any length */
};

/* What becomes of the file's names. Zeroed: every function under its preferred name. */
struct symbol_choice {
	bool globals_only; /* names that other files of the program cannot see are not used: functions that have no other one have
	                      none, and are extents (below) */
	bool all_names;    /* where several names are at one address, the name is all of them in byte order with SYMBOL_JOIN between:
	                      ".text - SL2MemoryBufInit" */
};
#define SYMBOL_JOIN " - "

struct symbol_table;

/* Which file is meant, where more than the path is known. Zeroed: any. */
struct symbol_want {
	const uint8_t *build_id; /* must match when the file has one */
	size_t build_id_bytes;
	bool required; /* this file is what the user asked for: what stops it from being read is an error, not a warning */
	struct symbol_choice choice;
};

enum symbol_state {
	SYMBOL_READ,       /* symbols are as the file has them: none when it is stripped, but extents */
	SYMBOL_MISSING,    /* cannot be opened or read */
	SYMBOL_FOREIGN,    /* no object file of a format that dwell reads */
	SYMBOL_MISMATCHED, /* another build */
};

/* Reads the symbols of path. Never null: a file that is missing, foreign, stripped or of another build gives a table that is empty,
 * and a diag that says so (not for stripped: that is no error). A corrupted file gives the symbols that are intact, and a diag. */
struct symbol_table *make_symbol_table(const char *path, const struct symbol_want *want, struct diag *diag);
/* The same of symbols that somebody else read, in any order, names borrowed; those with an empty name are extents. Null: no memory. */
struct symbol_table *make_recorded_symbol_table(const struct symbol *symbols, size_t count);
void free_symbol_table(struct symbol_table *table);

/* For listing. */
size_t symbol_count(const struct symbol_table *table);
const struct symbol *symbol_at(const struct symbol_table *table, size_t index);

/* The symbol whose extent holds the link-time address, or null. Binary search. */
const struct symbol *symbol_find(const struct symbol_table *table, uint64_t address);

/* Whether that is its name, or one of several (symbol_choice; of those, the first 4096 bytes are looked at). */
bool symbol_is_called(const struct symbol_table *table, const struct symbol *symbol, const char *name);

/* Whether the symbol is a part of another one, as compilers make them of branches that are rarely taken (main.cold); and that other
 * one: the symbol itself where there is none of that name, or several. Looks at all names. */
bool symbol_is_part(const struct symbol *symbol);
const struct symbol *symbol_find_whole(const struct symbol_table *table, const struct symbol *part);

/* A function that no symbol names, as the unwind tables tell of it: in a file without a full symbol table, with exports alone or
 * none. Parts that compilers moved away are functions of their own here. Or one whose names are not wanted (symbol_choice). Sorted; none
 * shares an address with a symbol. */
struct symbol_extent {
	uint64_t address, size;
};
size_t symbol_extent_count(const struct symbol_table *table);
const struct symbol_extent *symbol_extent_at(const struct symbol_table *table, size_t index);
/* The one that holds the link-time address, or null. */
const struct symbol_extent *symbol_extent_find(const struct symbol_table *table, uint64_t address);

/* Behind the name of a function: not the function, but the piece of code through which another file calls it. */

/* The longest name that is shown whole; longer ones are cut and end in "...". */
#define SYMBOL_DISPLAY_BYTES_MAX 65536

/* The name as a person writes it: C++, Rust and D demangled, module::procedure for modules of Fortran. It is without the symbol version
 * (@@GLIBC_2.34) and without the hash that Rust puts behind its names. The suffixes that compilers add (.part.0, .constprop.0, .isra.0)
 * are kept. Of several names in one (symbol_choice), each. To be freed; null when there is no memory. Names that cannot be demangled are
 * copied. So are names above 16384 bytes, and names of D that would cost too much. Hostile names cost bounded time and memory. */
char *make_symbol_display_name(const char *name);

/* The same without what distinguishes it from others of its name: arguments and result type; for C, which copy of it the compiler
 * made (.constprop.0, .isra.0); for a kernel, which part of it ([disk]). To be freed; null when there is nothing of that, or there is
 * no memory. */
char *make_symbol_plain_name(const char *name);

enum symbol_state symbol_state(const struct symbol_table *table);
/* "ELF", "GEMDOS", "TI COFF", "TI map", "none": for people. */
const char *symbol_format(const struct symbol_table *table);
/* 4 or 8; 0 when unknown. */
uint32_t symbol_pointer_bytes(const struct symbol_table *table);
/* Whether bit 0 of an address of code may tell in which state it runs (Thumb, MIPS16): it is cleared in what is here. */
bool symbol_has_state_bit(const struct symbol_table *table);
/* Whether the file is to be loaded anywhere: its addresses are not those in memory. */
bool symbol_is_position_independent(const struct symbol_table *table);

#endif
