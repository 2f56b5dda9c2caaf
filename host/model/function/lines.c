/* lines: opens tables of source lines, and formats positions for people. */
#include "model/function/lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/function/holder.h"
#include "model/function/module.h"
#include "symbol/debug/line.h"
#include "util/array.h"

struct lines {
	struct functions *functions;
	struct diag *diag;
	char *folder; /* the current folder, to shorten paths; null: not known */
	struct line_table **tables; /* by number of the file; null: not opened yet */
	size_t table_count, table_capacity;
	struct {
		char *text; /* null: not known */
		bool is_looked_up; /* text is set, or known to be unknown */
	} *texts; /* by function id */
	size_t text_count, text_capacity;
};

struct lines *make_lines(struct functions *functions, struct diag *diag)
{
	struct lines *lines = calloc(1, sizeof *lines);

	if (lines)
		*lines = (struct lines){.functions = functions, .diag = diag, .folder = getcwd(NULL, 0)};
	return lines;
}

void free_lines(struct lines *lines)
{
	if (!lines)
		return;
	for (size_t i = 0; i < lines->table_count; i++)
		free_line_table(lines->tables[i]);
	for (size_t i = 0; i < lines->text_count; i++)
		free(lines->texts[i].text);
	free(lines->tables);
	free(lines->texts);
	free(lines->folder);
	free(lines);
}

static struct line_table *get_table(struct lines *lines, const struct function_place *place)
{
	const struct symbol_request want = {.build_id = place->build_id, .build_id_bytes = place->build_id_bytes};
	size_t count = lines->table_count;
	bool is_new;

	if (place->file >= count) {
		if (!array_reserve(&lines->tables, &lines->table_capacity, (size_t)place->file + 1, sizeof(*lines->tables)))
			return NULL;
		memset(lines->tables + count, 0, ((size_t)place->file + 1 - count) * sizeof(*lines->tables));
		lines->table_count = (size_t)place->file + 1;
	}
	is_new = !lines->tables[place->file];
	if (is_new && place->path[0] == '[') /* "[kernel]": in no file */
		return NULL;
	if (is_new) /* recorded names do not need the file: reading its symbols writes its diags */
		modules_get_symbols(functions_get_modules(lines->functions), place->file);
	if (is_new)
		lines->tables[place->file] = make_line_table(place->path, &want, lines->diag);
	if (is_new && lines->tables[place->file] && !line_table_has_lines(lines->tables[place->file]))
		diag_add(lines->diag, DIAG_NOTE, place->path, DIAG_NO_OFFSET,
			"has no source lines, nor a debug file that has: compiled without -g?");
	return lines->tables[place->file];
}

static char *make_text(struct lines *lines, uint32_t id)
{
	struct function_place place;
	struct line_table *table;

	if (!functions_get_place(lines->functions, id, &place))
		return NULL;
	table = get_table(lines, &place);
	return table ? make_line_text(table, place.address) : NULL;
}

const char *lines_get(struct lines *lines, uint32_t id)
{
	size_t count = lines->text_count;

	if (id == FUNCTION_NONE)
		return NULL;
	if (id >= count) {
		if (!array_reserve(&lines->texts, &lines->text_capacity, (size_t)id + 1, sizeof *lines->texts))
			return NULL;
		memset(lines->texts + count, 0, ((size_t)id + 1 - count) * sizeof *lines->texts);
		lines->text_count = (size_t)id + 1;
	}
	if (!lines->texts[id].is_looked_up)
		lines->texts[id].text = make_text(lines, id);
	lines->texts[id].is_looked_up = true;
	return lines->texts[id].text;
}

const char *lines_get_short(struct lines *lines, uint32_t id)
{
	const char *text = lines_get(lines, id), *slash;
	size_t bytes = lines->folder ? strlen(lines->folder) : 0;

	if (!text)
		return NULL;
	if (bytes && !strncmp(text, lines->folder, bytes) && text[bytes] == '/' && text[bytes + 1])
		return text + bytes + 1;
	slash = strrchr(text, '/');
	return slash ? slash + 1 : text;
}

/* The line of the address, if it is in the source file of begin ("path:12"); else 0. */
static uint32_t line_of(struct line_table *table, uint64_t address, const char *begin)
{
	char *text = make_line_text(table, address);
	size_t bytes = (size_t)(strrchr(begin, ':') - begin) + 1;
	unsigned long line = text && !strncmp(text, begin, bytes) ? strtoul(text + bytes, NULL, 10) : 0;

	free(text);
	return line <= UINT32_MAX ? (uint32_t)line : 0;
}

/* Null: the function has no line, or no table. */
static struct line_table *get_own_table(struct lines *lines, uint32_t id, struct function_place *place, const char **begin)
{
	*begin = lines_get(lines, id);
	return *begin && strrchr(*begin, ':') && functions_get_place(lines->functions, id, place) ? get_table(lines, place) : NULL;
}

uint32_t lines_get_line(struct lines *lines, uint32_t id, uint64_t address)
{
	struct function_place place;
	const char *begin;
	struct line_table *table = get_own_table(lines, id, &place, &begin);

	return table ? line_of(table, address, begin) : 0;
}

#define PLACES 200u /* addresses at which lines_get_last looks */

uint32_t lines_get_last(struct lines *lines, uint32_t id)
{
	struct function_place place;
	struct symbol_extent code;
	const char *begin;
	struct line_table *table = get_own_table(lines, id, &place, &begin);
	uint32_t last = 0;
	uint64_t step;

	if (!table || !get_holder_code(functions_get_modules(lines->functions), place.file, place.address, &code))
		return 0;
	step = code.size / PLACES + 1;
	for (uint64_t i = 0; i < PLACES && i * step < code.size; i++) {
		uint32_t line = line_of(table, code.address + i * step, begin);

		last = line > last ? line : last;
	}
	return last;
}
