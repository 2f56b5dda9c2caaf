/* recorded: makes a symbol table (symbol.h) of the symbols that a recording contains, rather than of a file. */
#include <stdlib.h>

#include "symbol/table.h"

struct symbol_table *make_recorded_symbol_table(const struct symbol *symbols, size_t count)
{
	static const uint64_t no_end[] = {UINT64_MAX};
	struct symbol_table *table = calloc(1, sizeof *table);
	bool good = table;

	for (size_t i = 0; good && i < count; i++) {
		const struct symbol *symbol = &symbols[i];

		if (!symbol->size || symbol->address >= UINT64_MAX - symbol->size)
			continue;
		if (*symbol->name)
			good = symbol_table_add(
				table, &(struct raw_symbol){symbol->address, symbol->size, symbol->name, 0, RAW_GLOBAL});
		else
			good = symbol_table_add_extent(table, symbol->address, symbol->address + symbol->size);
	}
	if (good && symbol_table_finish(table, no_end)) {
		table->format = "told";
		table->state = SYMBOL_READ;
		return table;
	}
	free_symbol_table(table);
	return NULL;
}
