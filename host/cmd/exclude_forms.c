/* exclude_forms: see exclude_forms.h. */
#include "cmd/exclude_forms.h"

#include <stdlib.h>
#include <string.h>

#include "symbol/line.h"
#include "symbol/symbol.h"
#include "util/units.h"

static const struct {
	const char *name, *use;
} forms[] = {
	[EXCLUDE_RECORD] = {"record", "dwell record --exclude FILE"},
	[EXCLUDE_GCC] = {"gcc", "gcc -finstrument-functions @FILE compiles them without hooks; by name, so C++ is left out"},
	[EXCLUDE_CLANG] = {"clang", "clang -fxray-instrument -fxray-attr-list=FILE compiles them without hooks; by name, so C++ is left out"},
	[EXCLUDE_ATTRIBUTE] = {"attribute",
		"editors jump to its places; no_instrument_function is for every kind of hooks. Needs -g"},
};

bool exclude_form_find(const char *name, enum exclude_form *form)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (!strcmp(name, forms[i].name)) {
			*form = (enum exclude_form)i;
			return true;
		}
	return false;
}

const char *exclude_form_use(enum exclude_form form)
{
	return forms[form].use;
}

/* Names of C alone: compilers are told what stands in the source, or in the symbol table, and both are the same then. */
static bool is_plain(const char *name)
{
	return *name && !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$")];
}

/* GCC looks for the text anywhere in a function's name. */
static void tell_others(const struct trace *trace, const struct excluded *list, size_t count)
{
	struct functions *functions = model_get_functions(trace->model);
	const struct profile *profile = model_get_profile(trace->model);
	size_t others = 0;
	const char *one = NULL, *of = NULL;

	for (size_t id = 0; id < profile->function_count; id++) {
		const char *name = functions_get_name(functions, (uint32_t)id), *within = NULL;
		bool listed = false;

		for (size_t i = 0; i < count && profile->functions[id].calls; i++) {
			const char *text = functions_get_name(functions, list[i].id);

			listed |= list[i].id == id;
			if (is_plain(text) && strstr(name, text))
				within = text;
		}
		if (!within || listed)
			continue;
		others++;
		one = name;
		of = within;
	}
	if (others)
		diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET,
			"GCC leaves out every function with one of these names anywhere in its own: %zu more of this trace, such as %s, with %s in it",
			others, one, of);
}

static size_t write_gcc(FILE *out, const struct trace *trace, const struct excluded *list, size_t count)
{
	struct functions *functions = model_get_functions(trace->model);
	const char *between = "-finstrument-functions-exclude-function-list=";
	size_t written = 0;

	for (size_t i = 0; i < count; i++) {
		const char *name = functions_get_name(functions, list[i].id);

		if (!is_plain(name))
			continue;
		fprintf(out, "%s%s", between, name);
		between = ",";
		written++;
	}
	if (written)
		fputc('\n', out);
	tell_others(trace, list, count);
	return written;
}

static size_t write_clang(FILE *out, const struct trace *trace, const struct excluded *list, size_t count)
{
	struct functions *functions = model_get_functions(trace->model);
	size_t written = 0;

	fputs("[never]\n", out);
	for (size_t i = 0; i < count; i++) {
		const char *name = functions_get_name(functions, list[i].id);

		if (!is_plain(name))
			continue;
		fprintf(out, "fun:%s\n", name);
		written++;
	}
	return written;
}

/* The lines of one file at a time. */
struct sources {
	const char *path;
	struct line_table *lines;
};

static char *make_place_text(struct sources *sources, const struct trace *trace, const struct function_place *place)
{
	const struct symbol_want want = {.build_id = place->build_id, .build_id_bytes = place->build_id_bytes};

	if (!sources->path || strcmp(sources->path, place->path)) {
		free_line_table(sources->lines);
		sources->path = place->path;
		sources->lines = make_line_table(place->path, &want, trace->diag);
	}
	return sources->lines ? make_line_text(sources->lines, place->address) : NULL;
}

static size_t write_attributes(FILE *out, const struct trace *trace, const struct excluded *list, size_t count)
{
	struct functions *functions = model_get_functions(trace->model);
	struct sources sources = {0};
	size_t written = 0;

	for (size_t i = 0; i < count; i++) {
		const char *name = functions_get_name(functions, list[i].id);
		char *source = NULL, calls[UNITS_TEXT_BYTES];
		struct function_place place;

		if (functions_get_place(functions, list[i].id, &place) && place.path)
			source = make_place_text(&sources, trace, &place);
		units_format_count(calls, list[i].calls);
		if (source && !strpbrk(source, "\n\r") && !strpbrk(name, "\n\r")) {
			fprintf(out, "%s: %s (%s calls) needs __attribute__((no_instrument_function))\n", source, name, calls);
			written++;
		}
		free(source);
	}
	free_line_table(sources.lines);
	return written;
}

size_t exclude_write_form(FILE *out, const struct trace *trace, const struct excluded *list, size_t count, enum exclude_form form)
{
	switch (form) {
	case EXCLUDE_GCC:
		return write_gcc(out, trace, list, count);
	case EXCLUDE_CLANG:
		return write_clang(out, trace, list, count);
	default:
		return write_attributes(out, trace, list, count);
	}
}
