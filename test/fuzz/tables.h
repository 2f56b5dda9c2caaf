/* What symbol.h promises of every table, whatever the file was. */
#ifndef DWELL_TEST_FUZZ_TABLES_H
#define DWELL_TEST_FUZZ_TABLES_H

#include <stdlib.h>

#include "symbol/symbol.h"

static inline void check_table(const struct symbol_table *table)
{
	for (size_t i = 0; i < symbol_count(table); i++) {
		const struct symbol *symbol = symbol_at(table, i), *next = symbol_at(table, i + 1);

		if (!symbol->size || !symbol->name[0] || (next && symbol->size > next->address - symbol->address) ||
			symbol_find(table, symbol->address + symbol->size - 1) != symbol)
			abort();
		free(make_symbol_display_name(symbol->name));
	}
	for (size_t i = 0; i < symbol_extent_count(table); i++) {
		const struct symbol_extent *extent = symbol_extent_at(table, i), *next = symbol_extent_at(table, i + 1);

		if (!extent->size || (next && extent->size > next->address - extent->address) ||
			symbol_find(table, extent->address))
			abort();
	}
}

#endif
