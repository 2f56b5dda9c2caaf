/* line: finds source lines through libdw, which decodes the lines of a unit at the first query for the unit. */
#include "symbol/debug/line.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

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

/* Returns the first row at the address. A function's first address has two rows if optimised code begins with the first
 * statement; the first of the two is the function's own. If no row begins there, returns the row that covers the address. */
static Dwarf_Line *find_row(Dwarf_Lines *lines, size_t count, uint64_t address)
{
	size_t low = 0, high = count;
	Dwarf_Addr row_address;
	Dwarf_Line *row = NULL;
	bool ends;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (dwarf_lineaddr(dwarf_onesrcline(lines, middle), &row_address))
			return NULL;
		if (row_address < address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < count; low++) {
		int line;

		row = dwarf_onesrcline(lines, low);
		if (dwarf_lineaddr(row, &row_address) || row_address != address)
			break;
		if (!dwarf_lineendsequence(row, &ends) && !ends && !dwarf_lineno(row, &line) && line > 0)
			return row;
	}
	row = low ? dwarf_onesrcline(lines, low - 1) : NULL;
	return row && !dwarf_lineendsequence(row, &ends) && !ends ? row : NULL;
}

static char *make_text_in_unit(Dwarf_Die *unit, uint64_t address)
{
	Dwarf_Lines *lines;
	Dwarf_Line *row;
	const char *file;
	size_t count;
	int line;

	if (dwarf_getsrclines(unit, &lines, &count))
		return NULL;
	row = find_row(lines, count, address);
	if (!row || dwarf_lineno(row, &line) || line <= 0) /* 0: code that the compiler added */
		return NULL;
	file = dwarf_linesrc(row, NULL, NULL);
	return file ? make_text(unit, file, line) : NULL;
}

char *make_line_text(struct line_table *table, uint64_t address)
{
	struct dwarf_search search = dwarf_file_search(&table->file, address);
	uint32_t unit;

	while ((unit = dwarf_file_next(&table->file, &search))) {
		char *text = make_text_in_unit(&table->file.units[unit - 1], address);

		if (text)
			return text;
	}
	return NULL;
}
