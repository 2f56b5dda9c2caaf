/* extent: collects, sorts and finds extents (struct symbol_extent in symbol.h): functions that may have no symbol. */
#include <stdlib.h>

#include "symbol/table.h"
#include "util/array.h"
#include "util/sorted.h"

bool symbol_table_add_extent(struct symbol_table *table, uint64_t low, uint64_t high)
{
	if (!array_reserve(&table->extents, &table->extent_capacity, table->extent_count + 1, sizeof *table->extents))
		return false;
	table->extents[table->extent_count++] = (struct symbol_extent){low, high - low};
	return true;
}

/* Of extents at one address, the longest is first. */
static int by_address(const void *a, const void *b)
{
	const struct symbol_extent *left = a, *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return left->size > right->size ? -1 : left->size < right->size;
}

void extents_sort(struct symbol_table *table)
{
	sort_list(table->extents, table->extent_count, sizeof *table->extents, by_address);
}

/* Returns the number of extents that begin at or below the address. */
static size_t count_up_to(const struct symbol_table *table, uint64_t address)
{
	return SORTED_UP_TO(struct symbol_extent, address, table->extents, table->extent_count, address);
}

uint64_t extents_size_at(const struct symbol_table *table, uint64_t address)
{
	size_t count = count_up_to(table, address);

	return count && table->extents[count - 1].address == address ? table->extents[count - 1].size : 0;
}

/* Most extents come from unwind tables, and symbols are more reliable. So this drops an extent that begins inside of a symbol, and
 * cuts an extent where the next symbol begins. Of extents at one address only the longest stays. An extent that reaches into the
 * next extent is cut where the next one begins. */
void extents_fit_to_symbols(struct symbol_table *table)
{
	size_t kept = 0, next = 0; /* next: index of the first symbol that begins after the extent's start */

	for (size_t i = 0; i < table->extent_count; i++) {
		struct symbol_extent extent = table->extents[i];

		if (kept && table->extents[kept - 1].address == extent.address)
			continue;
		while (next < table->count && table->symbols[next].address <= extent.address)
			next++;
		if (next && extent.address - table->symbols[next - 1].address < table->symbols[next - 1].size)
			continue;
		if (next < table->count && table->symbols[next].address - extent.address < extent.size)
			extent.size = table->symbols[next].address - extent.address;
		if (kept && extent.address - table->extents[kept - 1].address < table->extents[kept - 1].size)
			table->extents[kept - 1].size = extent.address - table->extents[kept - 1].address;
		table->extents[kept++] = extent;
	}
	table->extent_count = kept;
}

size_t symbol_extent_count(const struct symbol_table *table)
{
	return table->extent_count;
}

const struct symbol_extent *symbol_extent_at(const struct symbol_table *table, size_t index)
{
	return index < table->extent_count ? &table->extents[index] : NULL;
}

const struct symbol_extent *symbol_extent_find(const struct symbol_table *table, uint64_t address)
{
	size_t count = count_up_to(table, address);
	const struct symbol_extent *extent = count ? &table->extents[count - 1] : NULL;

	return extent && address - extent->address < extent->size ? extent : NULL;
}
