/* table: how a symbol format fills a table: it adds raw symbols in any
 * order, then symbol_table_finish makes what symbol.h promises. */
#ifndef DWELL_HOST_SYMBOL_TABLE_H
#define DWELL_HOST_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/symbol.h"

/* Kind of a symbol: of aliases, the lowest is preferred. */
enum raw_rank {
	RAW_GLOBAL,
	RAW_WEAK,
	RAW_LOCAL,
	/* A symbol without a type: RAW_LABEL + RAW_GLOBAL, RAW_WEAK or RAW_LOCAL. Counts as a function only outside of functions.
	 * RAW_SECTION follows these three ranks. */
	RAW_LABEL,
	RAW_SECTION = 2 * RAW_LABEL, /* a piece of code, named after its section by the linker; local */
	RAW_STOP, /* a place for debuggers: a name of the function that begins there, never a function by itself; local */
};

/* A symbol as a format finds it in the file. */
struct raw_symbol {
	uint64_t address;
	uint64_t size; /* 0: unknown */
	const char *name;
	uint32_t section; /* index into the section_ends of symbol_table_finish */
	uint32_t rank; /* enum raw_rank; of a label, RAW_LABEL plus the rank of its binding: RAW_LABEL + RAW_WEAK */
};

struct symbol_table {
	struct symbol *symbols; /* by address; made by symbol_table_finish */
	size_t count;
	struct symbol_extent *extents; /* functions that may have no symbol; unsorted until symbol_table_finish */
	size_t extent_count, extent_capacity;
	struct symbol *stubs; /* code that the linker made to reach functions of other files (write@plt); the names are owned.
				 Neither counted nor listed. Unsorted until symbol_table_finish */
	size_t stub_count, stub_capacity;
	struct raw_symbol *raw; /* null after symbol_table_finish */
	size_t raw_count, raw_capacity;
	char *strings[4]; /* the string sections that names point into; owned. Of
			     .symtab and .dynsym, here and in a separate debug file */
	size_t string_count;
	struct symbol_choice choice; /* set before symbol_table_finish */
	char **joined; /* names made of several; owned */
	size_t joined_count, joined_capacity, joined_bytes;
	size_t unjoined; /* places whose names were too long to join and have only the preferred name */
	const char *format;
	uint32_t pointer_bytes;
	bool has_state_bit, is_position_independent;
	enum symbol_state state;
};

/* In a file that is not linked, each section begins at 0: the table puts the sections one after the other. Returns the start of the
 * next section. end: the end of the previous section, 0 for the first. align: a power of two up to 1 MiB; any other value counts
 * as 1. */
uint64_t section_lay_out(uint64_t end, uint64_t align);

/* Adds a raw symbol. pre: raw.address < the end of its section. False: no memory. */
bool symbol_table_add(struct symbol_table *table, const struct raw_symbol *raw);

/* Adds a function that may have no symbol. False: no memory. */
bool symbol_table_add_extent(struct symbol_table *table, uint64_t low, uint64_t high);

/* Adds a stub with a copy of its name. pre: its size is not 0, and its end is an address. False: no memory. */
bool symbol_table_add_stub(struct symbol_table *table, const struct symbol *stub);
/* Sorts the stubs, drops stubs that share bytes with symbols or stubs, and cuts extents where a stub begins. The last step of
 * symbol_table_finish. */
void stubs_fit_to_symbols(struct symbol_table *table);
/* Returns the stub that holds the address, or null. */
const struct symbol *stubs_find(const struct symbol_table *table, uint64_t address);
void stubs_clear(struct symbol_table *table);

/* Three steps of symbol_table_finish, which only table.c calls. An extent is a function that may have no symbol. */

/* Sorts the extents by address. */
void extents_sort(struct symbol_table *table);
/* Drops extents that begin inside of a symbol, and of extents at one address all but the longest. Cuts an extent where the next
 * symbol or extent begins. pre: sorted. */
void extents_fit_to_symbols(struct symbol_table *table);
/* Returns the size of the extent that begins at address; 0: none. pre: sorted. */
uint64_t extents_size_at(const struct symbol_table *table, uint64_t address);

/* Merges the group of symbols at one address. Returns the preferred symbol, with its own size; if that is unknown, with the largest
 * size in the group. Prefers names allowed by symbol_choice. May reorder the group. For table.c. */
struct raw_symbol aliases_merge(struct symbol_table *table, struct raw_symbol *group, size_t count);
/* Returns whether the symbol is not visible to other files of the program. */
bool raw_is_local(const struct raw_symbol *raw);

/* Makes symbols of the raw symbols: sorts, merges aliases, drops labels inside of functions, derives and cuts sizes. Frees raw.
 * section_ends: for each section, the end of its addresses. False: no memory; the table may lack symbols. */
bool symbol_table_finish(struct symbol_table *table, const uint64_t *section_ends);

#endif
