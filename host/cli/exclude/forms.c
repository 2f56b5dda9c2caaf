/* exclude_forms: see exclude_forms.h. */
#include "cli/exclude/forms.h"

#include <stdlib.h>
#include <string.h>

#include "cli/exclude/names.h"
#include "symbol/debug/line.h"
#include "symbol/symbol.h"
#include "util/units.h"

static const struct {
	const char *name, *use;
} forms[] = {
	[EXCLUDE_RECORD] = {"record", "dwell record --exclude FILE"},
	[EXCLUDE_GCC] = {"gcc", "gcc -finstrument-functions @FILE compiles them without hooks; by name, which C++'s templates and operators have none of"},
	[EXCLUDE_CLANG] = {"clang", "clang -fxray-instrument -fxray-attr-list=FILE compiles them without hooks; by their symbols"},
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

static size_t write_gcc(FILE *out, char *const *names, size_t count)
{
	const char *between = "-finstrument-functions-exclude-function-list=";
	size_t written = 0;

	for (size_t i = 0; i < count; i++) {
		if (!names[i])
			continue;
		written++;
		if (exclude_is_told(names, i))
			continue;
		fprintf(out, "%s%s", between, names[i]);
		between = ",";
	}
	if (written)
		fputc('\n', out);
	return written;
}

static size_t write_clang(FILE *out, char *const *names, size_t count)
{
	size_t written = 0;

	fputs("[never]\n", out);
	for (size_t i = 0; i < count; i++) {
		if (!names[i])
			continue;
		written++;
		if (!exclude_is_told(names, i))
			fprintf(out, "fun:%s\n", names[i]);
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

/* What finds no place is no name any more. */
static size_t write_attributes(FILE *out, const struct trace *trace, const struct excluded *list, char **names, size_t count)
{
	struct functions *functions = model_get_functions(trace->model);
	struct sources sources = {0};
	size_t written = 0;

	for (size_t i = 0; i < count; i++) {
		char *source = NULL, calls[UNITS_TEXT_BYTES];
		struct function_place place;

		if (names[i] && functions_get_place(functions, list[i].id, &place) && place.path)
			source = make_place_text(&sources, trace, &place);
		units_format_count(calls, list[i].calls);
		if (source && !strpbrk(source, "\n\r")) {
			fprintf(out, "%s: %s (%s calls) needs __attribute__((no_instrument_function))\n", source, names[i], calls);
			written++;
		} else {
			free(names[i]);
			names[i] = NULL;
		}
		free(source);
	}
	free_line_table(sources.lines);
	return written;
}

size_t exclude_write_form(
	FILE *out, const struct trace *trace, const struct excluded *list, char **names, size_t count, enum exclude_form form)
{
	switch (form) {
	case EXCLUDE_GCC:
		return write_gcc(out, names, count);
	case EXCLUDE_CLANG:
		return write_clang(out, names, count);
	default:
		return write_attributes(out, trace, list, names, count);
	}
}
