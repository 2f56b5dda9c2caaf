/* line: finds source lines through libdw, which decodes the lines of a unit at the first query for the unit. */
#include "symbol/debug/line.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/debug/dwarf_file.h"

struct line_table {
	struct dwarf_file file;
};

struct line_table *make_line_table(const char *path, const struct symbol_request *request, struct diag *diag)
{
	struct line_table *table = calloc(1, sizeof *table);

	if (!table)
		return NULL;
	dwarf_file_open(&table->file, path, request, diag);
	return table;
}

void free_line_table(struct line_table *table)
{
	if (!table)
		return;
	dwarf_file_close(&table->file);
	free(table);
}

bool line_table_has_lines(const struct line_table *table)
{
	return table->file.range_count;
}

/* Returns "file:line". A relative name of a file starts from the compiler's working directory. */
static char *make_text(Dwarf_Die *unit, const char *file, int line)
{
	Dwarf_Attribute attribute;
	const char *folder = NULL;
	char *text;

	if (file[0] != '/')
		folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	return asprintf(&text, "%s%s%s:%d", folder ? folder : "", folder ? "/" : "", file, line) < 0 ? NULL : text;
}

/* Returns the number of rows at or below the address. libdw sorts the rows by address; at one address the rows that end a sequence
 * come first, and the others are in the order of the file. */
static size_t count_rows_up_to(Dwarf_Lines *lines, size_t count, uint64_t address)
{
	size_t low = 0, high = count;
	Dwarf_Addr row_address;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (dwarf_lineaddr(dwarf_onesrcline(lines, middle), &row_address))
			return 0;
		if (row_address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_end(Dwarf_Line *row)
{
	bool ends;

	return dwarf_lineendsequence(row, &ends) || ends;
}

/* Returns the row of the instruction at the address, as addr2line does: the last one at or below the address. The rows before it
 * at one address have no instruction, and may be of the function that ends there. */
static Dwarf_Line *find_row(Dwarf_Lines *lines, size_t count, uint64_t address)
{
	size_t number = count_rows_up_to(lines, count, address);
	Dwarf_Line *row = number ? dwarf_onesrcline(lines, number - 1) : NULL;

	return row && !is_end(row) ? row : NULL;
}

/* Returns the first row at the address, where a function begins: mostly the row of the definition, even if the first instruction is
 * from an inlined function of another file. Without a row there, as find_row. */
static Dwarf_Line *find_first_row(Dwarf_Lines *lines, size_t count, uint64_t address)
{
	size_t number = count_rows_up_to(lines, count, address), first;

	if (!number || is_end(dwarf_onesrcline(lines, number - 1)))
		return NULL;
	first = address ? count_rows_up_to(lines, count, address - 1) : 0;
	while (first < number && is_end(dwarf_onesrcline(lines, first)))
		first++;
	return dwarf_onesrcline(lines, first < number ? first : number - 1);
}

static char *make_text_of_row(Dwarf_Die *unit, Dwarf_Line *row)
{
	const char *file;
	int line;

	if (!row || dwarf_lineno(row, &line) || line <= 0) /* 0: code that the compiler added */
		return NULL;
	file = dwarf_linesrc(row, NULL, NULL);
	return file ? make_text(unit, file, line) : NULL;
}

typedef Dwarf_Line *(*row_finder)(Dwarf_Lines *lines, size_t count, uint64_t address);

static char *make_text_at(struct line_table *table, uint64_t address, row_finder find)
{
	struct dwarf_search search = dwarf_file_search(&table->file, address);
	uint32_t unit;

	while ((unit = dwarf_file_next(&table->file, &search))) {
		Dwarf_Die *die = &table->file.units[unit - 1];
		Dwarf_Lines *lines;
		size_t count;
		char *text = dwarf_getsrclines(die, &lines, &count) ? NULL : make_text_of_row(die, find(lines, count, address));

		if (text)
			return text;
	}
	return NULL;
}

char *make_line_text(struct line_table *table, uint64_t address)
{
	return make_text_at(table, address, find_row);
}

char *make_source_text(struct line_table *table, uint64_t address)
{
	char *text = make_text_at(table, address, find_first_row), *colon = text ? strrchr(text, ':') : NULL;

	if (colon)
		*colon = 0;
	return text;
}
