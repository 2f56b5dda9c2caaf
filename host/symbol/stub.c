/* stub: the table's stubs (struct symbol_table in table.h): code that the linker made, which has a name and is no function. */
#include <stdlib.h>
#include <string.h>

#include "symbol/table.h"
#include "util/array.h"
#include "util/sorted.h"

bool symbol_table_add_stub(struct symbol_table *table, const struct symbol *stub)
{
	char *name = strdup(stub->name);

	if (name && array_reserve(&table->stubs, &table->stub_capacity, table->stub_count + 1, sizeof *table->stubs)) {
		table->stubs[table->stub_count++] = (struct symbol){stub->address, stub->size, name};
		return true;
	}
	free(name);
	return false;
}

static int by_address(const void *a, const void *b)
{
	uint64_t left = ((const struct symbol *)a)->address, right = ((const struct symbol *)b)->address;

	return (left > right) - (left < right);
}

/* Whether the stub shares bytes with a function that has a symbol. */
static bool is_in_symbol(const struct symbol_table *table, const struct symbol *stub)
{
	size_t count = SORTED_UP_TO(struct symbol, address, table->symbols, table->count, stub->address + stub->size - 1);
	const struct symbol *symbol = count ? &table->symbols[count - 1] : NULL;

	return symbol && (symbol->address >= stub->address || stub->address - symbol->address < symbol->size);
}

const struct symbol *stubs_find(const struct symbol_table *table, uint64_t address)
{
	size_t count = SORTED_UP_TO(struct symbol, address, table->stubs, table->stub_count, address);

	return count && address - table->stubs[count - 1].address < table->stubs[count - 1].size ? &table->stubs[count - 1] : NULL;
}

/* Drops extents that begin in a stub, and cuts extents where a stub begins. pre: both are sorted. */
static void cut_extents(struct symbol_table *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->extent_count; i++) {
		struct symbol_extent extent = table->extents[i];
		size_t next = SORTED_UP_TO(struct symbol, address, table->stubs, table->stub_count, extent.address);

		if (stubs_find(table, extent.address))
			continue;
		if (next < table->stub_count && table->stubs[next].address - extent.address < extent.size)
			extent.size = table->stubs[next].address - extent.address;
		table->extents[kept++] = extent;
	}
	table->extent_count = kept;
}

void stubs_fit_to_symbols(struct symbol_table *table)
{
	size_t kept = 0;
	uint64_t end = 0;

	if (table->stub_count)
		qsort(table->stubs, table->stub_count, sizeof *table->stubs, by_address);
	for (size_t i = 0; i < table->stub_count; i++) {
		struct symbol *stub = &table->stubs[i];

		if ((kept && stub->address < end) || is_in_symbol(table, stub)) {
			free((char *)stub->name);
			continue;
		}
		end = stub->address + stub->size;
		table->stubs[kept++] = *stub;
	}
	table->stub_count = kept;
	if (kept)
		cut_extents(table);
}

void stubs_clear(struct symbol_table *table)
{
	for (size_t i = 0; i < table->stub_count; i++)
		free((char *)table->stubs[i].name);
	free(table->stubs);
}
