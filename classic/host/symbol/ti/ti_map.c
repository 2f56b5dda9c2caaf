/* Symbols from maps of Texas Instruments' linkers, if the program file is missing or stripped. A map lists global
 * symbols; of static functions only those with a section of their own, which the compiler names .text:name. */
#include <stdlib.h>
#include <string.h>

#include "classic/host/doors.h"
#include "symbol/table.h"
#include "classic/host/symbol/ti/ti_map_file.h"
#include "classic/host/symbol/ti/ti_name.h"

struct map_reader {
	struct symbol_table *table;
	struct ti_map_file file;
};

/* Returns the name as written in C. */
static const char *name_of(const struct ti_map_file *file, const char *name)
{
	return file->is_coff ? ti_name_of_c(name) : name;
}

/* Whether the name is of a size, which the lists of addresses contain, too: __STACK_SIZE, __TI_SYSMEM_SIZE. */
static bool is_size(const char *name)
{
	name += strspn(name, "_");
	if (!strncmp(name, "TI_", 3))
		name += 3;
	return !strcmp(name, "STACK_SIZE") || !strcmp(name, "SYSMEM_SIZE");
}

/* Returns the index, in the list that finish makes, of the end of the symbol's row; row null: of the end of its piece of code. */
static uint32_t section_of(const struct map_reader *reader, const struct piece *row, const struct piece *code)
{
	const struct ti_map_file *file = &reader->file;

	return (uint32_t)(row ? row - file->rows.list : (ptrdiff_t)file->rows.count + (code - file->code.list));
}

/* False: no memory. */
static bool take_globals(struct map_reader *reader)
{
	struct ti_map_file *file = &reader->file;

	for (size_t i = 0; i < file->global_count; i++) {
		const struct ti_map_global *global = &file->globals[i];
		const struct piece *code = pieces_find(&file->code, global->address);
		struct piece *row = pieces_find(&file->rows, global->address);
		struct raw_symbol raw = {.address = global->address, .name = global->name, .rank = RAW_GLOBAL};

		if (!code || is_size(global->name) || ti_name_is_noise(global->name))
			continue;
		if (ti_name_is_section(global->name))
			raw.rank = RAW_SECTION;
		else if (ti_name_is_stop(global->name))
			raw.rank = RAW_STOP;
		if (raw.rank != RAW_SECTION)
			raw.name = name_of(file, global->name);
		if (row && raw.rank == RAW_GLOBAL)
			row->has_functions = true;
		raw.section = section_of(reader, row, code);
		if (!symbol_table_add(reader->table, &raw))
			return false;
	}
	return true;
}

/* Adds the rows. The last part of .text:csl_section:_f is a static function, unless the
 * row has known functions: then the user chose the section's name. False: no memory. */
static bool take_rows(struct map_reader *reader)
{
	struct ti_map_file *file = &reader->file;

	for (size_t i = 0; i < file->rows.count; i++) {
		const struct piece *row = &file->rows.list[i], *code = pieces_find(&file->code, row->low);
		const char *colon = strrchr(row->name, ':');
		struct raw_symbol raw = {.address = row->low, .name = row->name, .rank = RAW_SECTION};

		if (!code || !*row->name)
			continue;
		raw.section = section_of(reader, row, code);
		if (ti_name_is_trampoline(row->name)) {
			raw.rank = RAW_LOCAL;
			colon = NULL;
		}
		if (!symbol_table_add(reader->table, &raw))
			return false;
		raw.rank = RAW_LOCAL;
		raw.name = colon ? name_of(file, colon + 1) : "";
		if (!*raw.name || row->has_functions || ti_name_is_noise(raw.name))
			continue;
		if (!symbol_table_add(reader->table, &raw))
			return false;
	}
	return true;
}

/* False: no memory. */
static bool finish(struct map_reader *reader)
{
	const struct pieces *rows = &reader->file.rows, *code = &reader->file.code;
	uint64_t *ends = malloc((rows->count + code->count + 1) * sizeof *ends);
	bool good;

	if (!ends)
		return false;
	for (size_t i = 0; i < rows->count; i++)
		ends[i] = rows->list[i].high;
	for (size_t i = 0; i < code->count; i++)
		ends[rows->count + i] = code->list[i].high;
	good = symbol_table_finish(reader->table, ends);
	free(ends);
	return good;
}

static enum symbol_state read_map(const struct symbol_input *input, struct symbol_table *table)
{
	struct map_reader reader = {.table = table};
	bool good = ti_map_open(&reader.file, input);

	table->pointer_bytes = 4;
	if (good) {
		table->strings[table->string_count++] = reader.file.text;
		good = take_globals(&reader) && take_rows(&reader) && finish(&reader);
		if (!good)
			diag_add(input->diag, input->level, input->path, DIAG_NO_OFFSET, "no memory for its symbols");
		reader.file.text = NULL;
	}
	ti_map_close(&reader.file);
	return good ? SYMBOL_READ : SYMBOL_MISSING;
}

const struct symbol_format symbol_format_ti_map = {"TI map", ti_map_claims, read_map};
