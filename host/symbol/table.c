#include "symbol/table.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* Aliases are compared up to here: in a hostile file each of a million names may be a million bytes long (they may overlap). */
#define COMPARED_BYTES 4096

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

/* Whether a is the better name of one function. */
static bool is_preferred(const struct raw_symbol *a, const struct raw_symbol *b)
{
	size_t a_bytes, b_bytes;

	if (a->rank != b->rank)
		return a->rank < b->rank;
	if (a->name == b->name)
		return false;
	a_bytes = strnlen(a->name, COMPARED_BYTES);
	b_bytes = strnlen(b->name, COMPARED_BYTES);
	if (a_bytes != b_bytes)
		return a_bytes < b_bytes;
	return memcmp(a->name, b->name, a_bytes) < 0;
}

/* Makes one of the symbols at one address: the preferred one, with its own size, else the largest. */
static struct raw_symbol merge_aliases(const struct raw_symbol *group, size_t count)
{
	const struct raw_symbol *best = &group[0];
	uint64_t largest = 0;
	struct raw_symbol merged;

	for (size_t i = 0; i < count; i++) {
		if (is_preferred(&group[i], best))
			best = &group[i];
		if (group[i].size > largest)
			largest = group[i].size;
	}
	merged = *best;
	if (!merged.size)
		merged.size = largest;
	return merged;
}

static uint64_t end_of(const struct raw_symbol *raw)
{
	return raw->size > UINT64_MAX - raw->address ? UINT64_MAX : raw->address + raw->size;
}

/* Merges aliases and drops labels inside a function, in place. A size 0 inside a function of known size ends with it at the
 * latest. */
static size_t settle(struct raw_symbol *raw, size_t count)
{
	size_t kept = 0, next;
	uint64_t covered = 0; /* functions of known size reach up to here */

	for (size_t i = 0; i < count; i = next) {
		struct raw_symbol merged;

		for (next = i + 1; next < count && raw[next].address == raw[i].address; next++)
			;
		merged = merge_aliases(&raw[i], next - i);
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

bool symbol_table_finish(struct symbol_table *table, const uint64_t *section_ends)
{
	struct raw_symbol *raw = table->raw;
	size_t count;

	extents_sort(table);
	if (table->raw_count) {
		qsort(raw, table->raw_count, sizeof *raw, by_address);
		count = settle(raw, table->raw_count);
		table->symbols = malloc(count * sizeof *table->symbols);
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
		}
	}
	extents_settle(table);
	free(raw);
	table->raw = NULL;
	table->raw_capacity = 0;
	return table->count || !table->raw_count;
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
	size_t low = 0, high = table->count; /* symbols[low - 1].address <= address < symbols[high].address */

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - table->symbols[low - 1].address >= table->symbols[low - 1].size)
		return NULL;
	return &table->symbols[low - 1];
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
