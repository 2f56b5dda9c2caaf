/* symbol: address → function extent and name, for one file. A slot with a member for each symbol format.
 *
 * Extents early, names late: the model asks for extents when an event is folded; names are asked once per function that is printed. */
#ifndef DWELL_HOST_SYMBOL_SYMBOL_H
#define DWELL_HOST_SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* One function of a file: text symbols, sorted by address, aliases at one address merged. */
struct symbol {
	uint64_t address; /* as the file says (link-time), Thumb bit cleared */
	uint64_t size;    /* never reaches into the next one; derived where the file says 0 */
	const char *name; /* as the file says, mangled: the preferred one of aliases (global before weak before local; then the
	                     shortest, then the first in byte order) */
};

struct symbol_table;

/* Which file is meant, where more than the path is known. Zeroed: any. */
struct symbol_want {
	const uint8_t *build_id; /* must match when the file has one */
	size_t build_id_bytes;
};

/* Reads the symbols of path. Never null: a file that is missing, foreign, stripped or of another build gives a table that is empty,
 * and a diag that says so (not for stripped: that is no error). */
struct symbol_table *make_symbol_table(const char *path, const struct symbol_want *want, struct diag *diag);
void free_symbol_table(struct symbol_table *table);

/* For listing. */
size_t symbol_count(const struct symbol_table *table);
const struct symbol *symbol_at(const struct symbol_table *table, size_t index);

/* The symbol whose extent holds the link-time address, or null. Binary search. */
const struct symbol *symbol_find(const struct symbol_table *table, uint64_t address);

/* The name as a person writes it (C++ demangled); the suffixes that compilers add (.part.0, .constprop.0, .isra.0) are kept.
 * To be freed. Names that cannot be demangled are copied. Hostile names cost bounded time and memory. */
char *make_symbol_display_name(const char *name);

/* "ELF", "none": for people. */
const char *symbol_format(const struct symbol_table *table);
uint32_t symbol_pointer_bytes(const struct symbol_table *table);

#endif
