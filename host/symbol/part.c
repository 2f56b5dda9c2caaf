/* part: recognises by name the symbols of parts that compilers split off functions, and finds the functions (symbol.h). */
#include <string.h>

#include "symbol/symbol.h"

#define NAME_BYTES_MAX 4096 /* only hostile files have longer names, perhaps a million of them */

/* Returns the length of the name without the suffix of a part: main.cold, main.cold.3 → 4; 0: no part. */
static size_t whole_name_bytes(const char *name)
{
	const char *suffix = strstr(name, ".cold");

	if (!suffix || suffix == name || suffix - name > NAME_BYTES_MAX || suffix[5 + strspn(suffix + 5, ".0123456789")])
		return 0;
	return (size_t)(suffix - name);
}

bool symbol_is_part(const struct symbol *symbol)
{
	return whole_name_bytes(symbol->name) > 0;
}

const struct symbol *symbol_find_whole(const struct symbol_table *table, const struct symbol *part)
{
	size_t name_bytes = whole_name_bytes(part->name);
	const struct symbol *whole = part;

	for (size_t i = 0, count = symbol_count(table); name_bytes && i < count; i++) {
		const struct symbol *symbol = symbol_at(table, i);

		if (strncmp(symbol->name, part->name, name_bytes) || symbol->name[name_bytes])
			continue;
		if (whole != part)
			return part;
		whole = symbol;
	}
	return whole;
}
