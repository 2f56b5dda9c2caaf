/* function_name: makes the names of functions when a report needs them, and searches names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/function/function_inner.h"
#include "symbol/symbol.h"
#include "util/array.h"
#include "util/file_name.h"

static const char *file_name_of(const struct functions *functions, const struct function *function, int *length)
{
	return file_name_shown(modules_get_path(functions->modules, function->file), length);
}

static char *make_name(const struct functions *functions, const struct function *function)
{
	const struct symbol *symbol;
	const char *file;
	char *name;
	int length;

	switch (function->kind) {
	case FUNCTION_SYMBOL:
		symbol = get_holder_symbol(functions->modules, function->file, function->address);
		if (symbol)
			return make_symbol_display_name(symbol->name);
		/* fall through */
	case FUNCTION_EXTENT:
	case FUNCTION_OFFSET:
		file = file_name_of(functions, function, &length);
		return asprintf(&name, "%.*s+0x%llx", length, file, (unsigned long long)function->address) < 0 ? NULL : name;
	case FUNCTION_MARK: {
		const char *text = texts_get(&functions->texts, (uint32_t)function->address);
		return asprintf(&name, text && *text ? "mark: %s" : "mark", text) < 0 ? NULL : name;
	}
	case FUNCTION_PLACE:
	case FUNCTION_NAMED:
		break;
	}
	return asprintf(&name, "0x%llx", (unsigned long long)function->address) < 0 ? NULL : name;
}

const char *functions_get_name(struct functions *functions, uint32_t id)
{
	const char *name = NULL;

	pthread_mutex_lock(&functions->lock);
	if (id < functions->count) {
		struct function *function = &functions->list[id];

		if (!function->name)
			function->name = make_name(functions, function);
		name = function->name;
	}
	pthread_mutex_unlock(&functions->lock);
	return name ? name : id == FUNCTION_OTHER ? "(other)" : "?";
}

static char *make_name_and_place(const struct functions *functions, const struct function *function, const char *name)
{
	int length;
	const char *file = file_name_of(functions, function, &length);
	char *longer = NULL;

	return asprintf(&longer, "%s (%.*s+0x%llx)", name, length, file, (unsigned long long)function->address) < 0 ? NULL : longer;
}

static bool has_symbol(const struct functions *functions, uint32_t id)
{
	return id < functions->count && functions->list[id].kind == FUNCTION_SYMBOL;
}

bool functions_is_named(const struct functions *functions, uint32_t id)
{
	return has_symbol(functions, id) || (id < functions->count && functions->list[id].kind >= FUNCTION_NAMED);
}

char *make_functions_name_and_place(struct functions *functions, uint32_t id)
{
	const char *name = functions_get_name(functions, id);
	char *longer = NULL;

	pthread_mutex_lock(&functions->lock);
	if (has_symbol(functions, id))
		longer = make_name_and_place(functions, &functions->list[id], name);
	pthread_mutex_unlock(&functions->lock);
	return longer;
}

static char *make_plain_name(const struct functions *functions, const struct function *function)
{
	const struct symbol *symbol = get_holder_symbol(functions->modules, function->file, function->address);

	return symbol ? make_symbol_plain_name(symbol->name) : NULL;
}

char *make_functions_plain_name(struct functions *functions, uint32_t id)
{
	char *name = NULL;

	pthread_mutex_lock(&functions->lock);
	if (has_symbol(functions, id))
		name = make_plain_name(functions, &functions->list[id]);
	pthread_mutex_unlock(&functions->lock);
	return name;
}

static bool table_has_match(const struct symbol_table *table, functions_match_fn *matches, const void *context)
{
	bool found = false;

	for (size_t i = 0; !found && i < symbol_count(table); i++) {
		const char *symbol = symbol_at(table, i)->name;
		char *name = make_symbol_display_name(symbol), *plain = make_symbol_plain_name(symbol);

		found = name && matches(context, name, plain);
		free(plain);
		free(name);
	}
	return found;
}

/* The same for a function without a symbol: FUNCTION_NAMED, FUNCTION_MARK. */
static bool has_match_without_table(
	const struct functions *functions, const struct function *function, functions_match_fn *matches, const void *context)
{
	char *name;
	bool found;

	if (function->kind < FUNCTION_NAMED)
		return false;
	name = function->name ? strdup(function->name) : make_name(functions, function);
	found = name && matches(context, name, NULL);
	free(name);
	return found;
}

static bool file_has_match(
	const struct functions *functions, uint32_t file, uint8_t *seen, functions_match_fn *matches, const void *context)
{
	const struct symbol_table *const tables[] = {
		modules_get_opened(functions->modules, file), modules_get_all_recorded(functions->modules, file)};
	bool found = false;

	for (uint8_t i = 0; !found && i < 2; i++) {
		if (!tables[i] || (*seen & 1u << i))
			continue;
		*seen |= (uint8_t)(1u << i);
		found = table_has_match(tables[i], matches, context);
	}
	return found;
}

bool functions_any_matches(
	struct functions *functions, struct functions_tried *seen, functions_match_fn *matches, const void *context)
{
	uint32_t files;
	bool found = false;
	size_t had;

	pthread_mutex_lock(&functions->lock);
	files = modules_file_count(functions->modules);
	for (; !found && seen->ids < functions->count; seen->ids++)
		found = has_match_without_table(functions, &functions->list[seen->ids], matches, context);
	had = seen->capacity;
	if (files && !seen->no_tables && array_reserve(&seen->tables, &seen->capacity, files, 1)) {
		memset(seen->tables + had, 0, seen->capacity - had);
		for (uint32_t file = 0; !found && file < files; file++)
			found = file_has_match(functions, file, &seen->tables[file], matches, context);
	}
	pthread_mutex_unlock(&functions->lock);
	return found;
}

bool functions_get_place(const struct functions *functions, uint32_t id, struct function_place *place)
{
	const struct function *function;

	if (id >= functions->count)
		return false;
	function = &functions->list[id];
	if (function->kind > FUNCTION_OFFSET)
		return false;
	/* Bit 0 of a place is not recorded: the byte after an even address is in the function in any case. */
	*place = (struct function_place){.file = function->file,
		.path = modules_get_path(functions->modules, function->file),
		.address = function->address | (function->kind == FUNCTION_OFFSET)};
	place->build_id = modules_get_build_id(functions->modules, function->file, &place->build_id_bytes);
	return true;
}
