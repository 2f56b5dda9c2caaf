/* How a symbol format fills a table: raw symbols in any order, then one call that makes of them what symbol.h promises. */
#ifndef DWELL_HOST_SYMBOL_TABLE_H
#define DWELL_HOST_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/symbol.h"

/* Lower is preferred among aliases. */
enum raw_rank {
	RAW_GLOBAL,
	RAW_WEAK,
	RAW_LOCAL,
	RAW_LABEL, /* or more: no type; counts as a function only where no function is */
	RAW_SECTION = 2 * RAW_LABEL, /* a part of the code that the linker put there, by the name of its section; local */
	RAW_STOP, /* a place for debuggers: a name of the function that begins there, but never one of its own; local */
};

struct raw_symbol {
	uint64_t address;
	uint64_t size; /* 0: unknown */
	const char *name;
	uint32_t section; /* index into the section ends that symbol_table_finish gets */
	uint32_t rank; /* enum raw_rank; a label's own binding is added: RAW_LABEL + RAW_WEAK */
};

struct symbol_table {
	struct symbol *symbols;
	size_t count;
	struct symbol_extent *extents; /* of code, in any order until the table is finished */
	size_t extent_count, extent_capacity;
	struct raw_symbol *raw;
	size_t raw_count, raw_capacity;
	char *strings[4]; /* what names point into; owned. .symtab's and .dynsym's, those of a separate debug file */
	size_t string_count;
	struct symbol_choice choice; /* before it is finished */
	char **joined; /* names that were made of several; owned */
	size_t joined_count, joined_capacity, joined_bytes;
	size_t unjoined; /* places whose names would have been too many bytes: they have the preferred one */
	const char *format;
	uint32_t pointer_bytes;
	bool has_state_bit, is_position_independent;
	enum symbol_state state;
};

/* In a file that is not linked each section begins at 0: they are laid one behind the other. Where the next one goes. */
uint64_t section_lay_out(uint64_t end, uint64_t align);

/* pre: raw.address < the end of its section. False: no memory. */
bool symbol_table_add(struct symbol_table *table, const struct raw_symbol *raw);

/* A function that has no symbol, or may have one. False: no memory. */
bool symbol_table_add_extent(struct symbol_table *table, uint64_t low, uint64_t high);
/* The two halves of symbol_table_finish that are theirs: in order, and without those that a symbol stands for. For table.c. */
void extents_sort(struct symbol_table *table);
void extents_settle(struct symbol_table *table);
/* The one that begins there; 0: none. pre: sorted. */
uint64_t extents_size_at(const struct symbol_table *table, uint64_t address);

/* Makes one of the symbols at one address: the preferred one, with its own size, else the largest; of those that are wanted, if there is
 * one. May change the order of the group. For table.c. */
struct raw_symbol aliases_merge(struct symbol_table *table, struct raw_symbol *group, size_t count);
bool raw_is_local(const struct raw_symbol *raw);

/* Sorts, merges aliases, drops labels inside functions, derives and cuts sizes. raw is gone afterwards. False: no memory, table
 * empty. */
bool symbol_table_finish(struct symbol_table *table, const uint64_t *section_ends);

#endif
