/* unique_names: sorts rows by name, and adds the source place to names that occur more than once. */
#include "analysis/unique_names.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named_row *)a)->name, ((const struct named_row *)b)->name);
}

void unique_names(struct functions *functions, struct named_row *rows, size_t count)
{
	size_t end;

	for (size_t i = 0; i < count; i++) {
		rows[i].longer = NULL;
		if (rows[i].id != FUNCTION_NONE)
			rows[i].name = functions_get_name(functions, rows[i].id);
	}
	if (count)
		qsort(rows, count, sizeof *rows, by_name);
	for (size_t begin = 0; begin < count; begin = end) {
		for (end = begin + 1; end < count && !by_name(&rows[begin], &rows[end]); end++)
			;
		for (size_t i = begin; i < end && end - begin > 1; i++)
			rows[i].longer = make_functions_name_and_place(functions, rows[i].id);
	}
	for (size_t i = 0; i < count; i++)
		if (rows[i].longer)
			rows[i].name = rows[i].longer;
}

void free_named_rows(struct named_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(rows[i].longer);
}

/* Adds the function with the next id, and compares its name with all names before. False: memory ran out. */
static bool add(struct unique_names *names, struct functions *functions, uint32_t id)
{
	const char *name = functions_get_name(functions, id);
	uint32_t hash = hash_text_seeded(name), item;

	if (!array_reserve(&names->names, &names->capacity, (size_t)id + 1, sizeof *names->names))
		return false;
	names->names[id] = (struct unique_name){.name = name};
	names->count = (size_t)id + 1;
	for (uint32_t at = hash; (item = lookup_next(&names->index, hash, &at)) != LOOKUP_NONE;)
		if (!strcmp(names->names[item].name, name)) {
			names->names[item].is_double = names->names[id].is_double = true;
			return true;
		}
	return lookup_put(&names->index, hash, id);
}

const char *unique_names_get(struct unique_names *names, struct functions *functions, uint32_t id)
{
	struct unique_name *name;

	if (id >= names->count)
		for (uint32_t count = functions_count(functions); names->count < count;)
			if (!add(names, functions, (uint32_t)names->count))
				break;
	if (id >= names->count)
		return functions_get_name(functions, id);
	name = &names->names[id];
	if (name->is_double && !name->longer)
		name->longer = make_functions_name_and_place(functions, id);
	return name->longer ? name->longer : name->name;
}

void unique_names_clear(struct unique_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i].longer);
	free(names->names);
	lookup_clear(&names->index);
	*names = (struct unique_names){0};
}
