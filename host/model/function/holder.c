/* holder: looks up an address in the recording's names, then in the file. */
#include "model/function/holder.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

void parts_clear(struct parts *parts)
{
	free(parts->list);
	lookup_clear(&parts->index);
	*parts = (struct parts){0};
}

/* The beginning of the function that the symbol belongs to. The search reads all names, so its result is cached. */
static uint64_t whole_address(struct parts *parts, uint32_t file, const struct symbol_table *symbols, const struct symbol *symbol)
{
	uint32_t hash = hash_number(symbol->address ^ (uint64_t)file << 40), item;
	struct symbol_part symbol_part = {file, symbol->address, symbol->address};

	if (!symbol_is_part(symbol))
		return symbol->address;
	for (uint32_t at = hash; (item = lookup_next(&parts->index, hash, &at)) != LOOKUP_NONE;)
		if (parts->list[item].file == file && parts->list[item].address == symbol->address)
			return parts->list[item].whole_address;
	symbol_part.whole_address = symbol_find_whole(symbols, symbol)->address;
	if (array_reserve(&parts->list, &parts->capacity, parts->count + 1, sizeof *parts->list) &&
		lookup_put(&parts->index, hash, (uint32_t)parts->count))
		parts->list[parts->count++] = symbol_part;
	return symbol_part.whole_address;
}

/* The recording's names take precedence, as the file may have changed. For an address without a recorded
 * name, the file is read: it may have a debug file now. */
struct holder find_holder(struct modules *modules, struct parts *parts, uint32_t file, uint64_t address)
{
	const struct symbol_table *recorded = modules_get_recorded_names(modules, file), *symbols = recorded;
	const struct symbol *symbol = recorded ? symbol_find(recorded, address) : NULL;
	const struct symbol_extent *extent = NULL;
	bool opens = !symbol;

	if (!symbol) {
		symbols = modules_get_symbols(modules, file);
		symbol = symbol_find(symbols, address);
	}
	if (symbol)
		return (struct holder){HOLDER_SYMBOL, whole_address(parts, file, symbols, symbol), symbol->address, opens};
	extent = symbol_extent_find(symbols, address);
	if (!extent && recorded)
		extent = symbol_extent_find(recorded, address);
	return extent ? (struct holder){HOLDER_EXTENT, extent->address, extent->address, true}
		      : (struct holder){.kind = HOLDER_NONE, .opens = true};
}

struct holder find_word_holder(struct modules *modules, struct parts *parts, uint32_t file, uint64_t address)
{
	struct holder holder = find_holder(modules, parts, file, address | 1), after;

	if (holder.kind != HOLDER_NONE && holder.own_address == address)
		return holder;
	after = find_holder(modules, parts, file, address | 3);
	return after.kind != HOLDER_NONE && after.own_address == (address | 2) ? after : holder;
}

struct holder find_named_holder(struct modules *modules, uint32_t file, const char *name)
{
	const struct symbol_table *symbols = modules_get_symbols(modules, file);
	struct holder holder = {.kind = HOLDER_NONE, .opens = true};

	for (size_t i = 0; i < symbol_count(symbols); i++) {
		const struct symbol *symbol = symbol_at(symbols, i);

		if (!symbol_has_name(symbols, symbol, name))
			continue;
		if (holder.kind == HOLDER_SYMBOL)
			return (struct holder){.kind = HOLDER_NONE, .opens = true};
		holder.kind = HOLDER_SYMBOL;
		holder.address = holder.own_address = symbol->address;
	}
	return holder;
}

const struct symbol *get_holder_symbol(struct modules *modules, uint32_t file, uint64_t address)
{
	const struct symbol_table *recorded = modules_get_recorded_names(modules, file),
				  *opened = modules_get_opened(modules, file);
	const struct symbol *symbol = recorded ? symbol_find(recorded, address) : NULL;

	return symbol || !opened ? symbol : symbol_find(opened, address);
}

bool get_holder_code(struct modules *modules, uint32_t file, uint64_t address, struct symbol_extent *code)
{
	const struct symbol_table *recorded = modules_get_recorded_names(modules, file),
				  *opened = modules_get_opened(modules, file);
	const struct symbol *symbol = get_holder_symbol(modules, file, address);
	const struct symbol_extent *extent = !symbol && opened ? symbol_extent_find(opened, address) : NULL;

	if (!symbol && !extent && recorded)
		extent = symbol_extent_find(recorded, address);
	if (symbol)
		*code = (struct symbol_extent){symbol->address, symbol->size};
	else if (extent)
		*code = *extent;
	return (symbol || extent) && code->address == address;
}
