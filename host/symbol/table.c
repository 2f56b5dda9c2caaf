/* table: makes a sorted symbol table from raw symbols. */
#include "symbol/table.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/sorted.h"

uint64_t section_lay_out(uint64_t end, uint64_t align)
{
	if (!align || align & (align - 1) || align > 1u << 20)
		align = 1;
	return (end + align - 1) & ~(align - 1);
}

bool symbol_table_add(struct symbol_table *table, const struct raw_symbol *raw)
{
	if (!array_reserve(&table->raw, &table->raw_capacity, table->raw_count + 1, sizeof *table->raw))
		return false;
	table->raw[table->raw_count++] = *raw;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct raw_symbol *left = a, *right = b;

	return left->address < right->address ? -1 : left->address > right->address;
}

static uint64_t end_of(const struct raw_symbol *raw)
{
	return raw->size > UINT64_MAX - raw->address ? UINT64_MAX : raw->address + raw->size;
}

/* Merges aliases, and drops stops and labels inside of functions, in place. A
 * function of size 0 inside of a larger function ends with it at the latest. */
static size_t merge_raw_symbols(struct symbol_table *table)
{
	struct raw_symbol *raw = table->raw;
	size_t kept = 0, count = table->raw_count, next;
	uint64_t covered = 0; /* largest end of the functions so far */

	for (size_t i = 0; i < count; i = next) {
		struct raw_symbol merged;

		for (next = i + 1; next < count && raw[next].address == raw[i].address; next++)
			;
		merged = aliases_merge(table, &raw[i], next - i);
		if (merged.rank == RAW_STOP)
			continue;
		if (merged.address < covered) {
			if (merged.rank >= RAW_LABEL)
				continue;
			if (!merged.size)
				merged.size = covered - merged.address;
		}
		if (merged.size && end_of(&merged) > covered)
			covered = end_of(&merged);
		raw[kept++] = merged;
	}
	return kept;
}

/* Turns functions with only local names into extents. As extents, the functions still end the functions before, and lookups find
 * them. pre: raw corresponds to symbols, one to one. False: no memory. */
static bool drop_locals(struct symbol_table *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->count; i++) {
		const struct symbol *symbol = &table->symbols[i];

		if (!raw_is_local(&table->raw[i]))
			table->symbols[kept++] = *symbol;
		else if (!symbol_table_add_extent(table, symbol->address, symbol->address + symbol->size))
			return false;
	}
	table->count = kept;
	extents_sort(table);
	return true;
}

bool symbol_table_finish(struct symbol_table *table, const uint64_t *section_ends)
{
	struct raw_symbol *raw = table->raw;
	bool good = !table->raw_count;
	size_t count;

	extents_sort(table);
	if (table->raw_count) {
		sort_list(raw, table->raw_count, sizeof *raw, by_address);
		count = merge_raw_symbols(table);
		table->symbols = malloc((count + 1) * sizeof *table->symbols);
		if (table->symbols) {
			for (size_t i = 0; i < count; i++) {
				uint64_t end = section_ends[raw[i].section];

				if (i + 1 < count && raw[i + 1].address < end)
					end = raw[i + 1].address;
				if (!raw[i].size)
					raw[i].size = extents_size_at(table, raw[i].address);
				if (raw[i].size && end_of(&raw[i]) < end)
					end = end_of(&raw[i]);
				table->symbols[i] = (struct symbol){raw[i].address, end - raw[i].address, raw[i].name};
			}
			table->count = count;
			good = !table->choice.globals_only || drop_locals(table);
		}
	}
	extents_fit_to_symbols(table);
	stubs_fit_to_symbols(table);
	free(raw);
	table->raw = NULL;
	table->raw_capacity = 0;
	return good;
}

size_t symbol_count(const struct symbol_table *table)
{
	return table->count;
}

const struct symbol *symbol_at(const struct symbol_table *table, size_t index)
{
	return index < table->count ? &table->symbols[index] : NULL;
}

const struct symbol *symbol_find(const struct symbol_table *table, uint64_t address)
{
	size_t count = SORTED_UP_TO(struct symbol, address, table->symbols, table->count, address);

	if (!count || address - table->symbols[count - 1].address >= table->symbols[count - 1].size)
		return stubs_find(table, address);
	return &table->symbols[count - 1];
}

enum symbol_state symbol_state(const struct symbol_table *table)
{
	return table->state;
}

const char *symbol_format(const struct symbol_table *table)
{
	return table->format;
}

uint32_t symbol_pointer_bytes(const struct symbol_table *table)
{
	return table->pointer_bytes;
}

bool symbol_has_state_bit(const struct symbol_table *table)
{
	return table->has_state_bit;
}

bool symbol_is_position_independent(const struct symbol_table *table)
{
	return table->is_position_independent;
}
