/* generated: lists the copies by program and name. */
#include "model/function/generated.h"

#include <stdlib.h>
#include <string.h>

#include "model/function/holder.h"
#include "symbol/symbol.h"
#include "util/array.h"

void generated_clear(struct generated *generated)
{
	free(generated->list);
	lookup_clear(&generated->index);
	*generated = (struct generated){0};
}

/* The copy with this name that is in the list. Adds the given copy if there is none. Null: no memory. */
static const struct generated_function *find_or_add(
	struct generated *generated, struct modules *modules, const struct generated_function *copy, const char *name)
{
	uint32_t hash = hash_number(copy->program << 32 ^ hash_text_seeded(name)), item;

	for (uint32_t at = hash; (item = lookup_next(&generated->index, hash, &at)) != LOOKUP_NONE;) {
		const struct generated_function *function = &generated->list[item];
		const struct symbol *symbol = get_holder_symbol(modules, function->file, function->address);

		if (function->program == copy->program && symbol && !strcmp(symbol->name, name))
			return function;
	}
	if (!array_reserve(&generated->list, &generated->capacity, generated->count + 1, sizeof *generated->list) ||
		!lookup_put(&generated->index, hash, (uint32_t)generated->count))
		return NULL;
	generated->list[generated->count] = *copy;
	return &generated->list[generated->count++];
}

/* Adds the recorded names of the files up to file. So the first copy does not depend on the order of lookups. */
static void add_recorded(struct generated *generated, struct modules *modules, uint32_t file)
{
	for (; generated->files <= file; generated->files++) {
		struct generated_function copy = {.file = generated->files};
		const struct symbol_table *recorded = modules_find_program(modules, copy.file, &copy.program)
							      ? modules_get_all_recorded(modules, copy.file)
							      : NULL;

		for (size_t i = 0; recorded && i < symbol_count(recorded); i++) {
			copy.address = symbol_at(recorded, i)->address;
			find_or_add(generated, modules, &copy, symbol_at(recorded, i)->name);
		}
	}
}

void generated_find_first(struct generated *generated, struct modules *modules, uint32_t *file, uint64_t *address)
{
	struct generated_function copy = {.file = *file, .address = *address};
	const struct generated_function *first;
	const struct symbol *symbol;

	if (!modules_find_program(modules, *file, &copy.program))
		return;
	add_recorded(generated, modules, *file);
	symbol = get_holder_symbol(modules, *file, *address);
	first = symbol ? find_or_add(generated, modules, &copy, symbol->name) : NULL;
	if (!first)
		return;
	*file = first->file;
	*address = first->address;
}
