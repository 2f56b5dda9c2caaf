/* exclude_names: see exclude_names.h. */
#include "cli/exclude/names.h"

#include <stdlib.h>
#include <string.h>

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

static char *null_unless(char *name, bool good)
{
	if (good)
		return name;
	free(name);
	return NULL;
}

/* "space::box::get", as GCC prints it. Arguments of templates are printed otherwise than in symbols (long unsigned int), and operators are
 * not only letters (GCC divides its list at commas). */
static char *make_gcc_name(struct functions *functions, uint32_t id)
{
	char *name = make_functions_plain_name(functions, id);

	if (!name)
		name = make_functions_symbol(functions, id);
	return null_unless(name, name && *name && !name[strspn(name, LETTERS ":$")]);
}

/* The symbol before the optimiser made copies of it. No dollar sign: this is an expression. */
static char *make_clang_name(struct functions *functions, uint32_t id)
{
	char *name = make_functions_symbol(functions, id);

	if (name)
		name[strcspn(name, ".")] = 0;
	return null_unless(name, name && *name && !name[strspn(name, LETTERS)]);
}

static char *make_name(struct functions *functions, uint32_t id, enum exclude_form form)
{
	const char *name;

	if (form == EXCLUDE_GCC)
		return make_gcc_name(functions, id);
	if (form == EXCLUDE_CLANG)
		return make_clang_name(functions, id);
	name = functions_get_name(functions, id);
	return strpbrk(name, "\n\r") ? NULL : strdup(name);
}

char **make_exclude_names(struct functions *functions, const struct excluded *list, size_t count, enum exclude_form form)
{
	char **names = calloc(count + 1, sizeof *names);

	for (size_t i = 0; names && i < count; i++)
		names[i] = make_name(functions, list[i].id, form);
	return names;
}

void free_exclude_names(char **names, size_t count)
{
	for (size_t i = 0; names && i < count; i++)
		free(names[i]);
	free(names);
}

bool exclude_is_told(char *const *names, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (names[i] && !strcmp(names[i], names[index]))
			return true;
	return false;
}

/* The name, if any, that means the function, too. GCC looks for it anywhere in a function's own. */
static const char *find_name(struct functions *functions, uint32_t id, char *const *names, size_t count, enum exclude_form form)
{
	char *plain = form == EXCLUDE_GCC ? make_functions_plain_name(functions, id) : make_name(functions, id, form);
	const char *own = plain || form != EXCLUDE_GCC ? plain : functions_get_name(functions, id), *found = NULL;

	for (size_t i = 0; own && !found && i < count; i++)
		if (names[i] && (form == EXCLUDE_GCC ? strstr(own, names[i]) != NULL : !strcmp(own, names[i])))
			found = names[i];
	free(plain);
	return found;
}

static bool is_listed(const struct excluded *list, size_t count, uint32_t id)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].id == id)
			return true;
	return false;
}

void exclude_tell_others(
	const struct trace *trace, const struct excluded *list, char *const *names, size_t count, enum exclude_form form)
{
	struct functions *functions = model_get_functions(trace->model);
	const struct profile *profile = model_get_profile(trace->model);
	uint32_t others = 0, one = 0;
	const char *found, *of = NULL;
	char *place;

	if (form == EXCLUDE_ATTRIBUTE)
		return;
	for (uint32_t id = 0; id < profile->function_count; id++) {
		if (!profile->functions[id].calls || is_listed(list, count, id) || !(found = find_name(functions, id, names, count, form)))
			continue;
		others++;
		one = id;
		of = found;
	}
	if (!others)
		return;
	place = make_functions_name_and_place(functions, one);
	diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET, "%s in the list: %u more of this trace, such as %s, with %s",
		form == EXCLUDE_GCC ? "GCC leaves out every function that has, anywhere in its name, one that is"
		: form == EXCLUDE_CLANG ? "Clang leaves out every function whose symbol is"
					: "dwell record leaves out every function whose name is",
		others, place ? place : functions_get_name(functions, one), of);
	free(place);
}
