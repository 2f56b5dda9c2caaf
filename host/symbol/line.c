/* Lines through libdw. It finds the unit that an address belongs to by an index that compilers need not write, or by looking at all; so the
 * ranges of all units are put in order here, once. The lines of a unit are decoded when the first address of it is asked for. */
#include "symbol/line.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/build_id.h"
#include "symbol/debug_file.h"
#include "symbol/elf_file.h"
#include "util/array.h"

/* Bounds for hostile files, whose units may all claim the same long list. The largest programs have some hundred thousand. */
#define RANGES_MAX (1u << 22)
#define UNITS_MAX (1u << 20)

struct range {
	uint64_t low, high; /* [low, high) */
	uint64_t reach;     /* the largest high up to here: where a search downwards may stop */
	uint32_t unit;
};

struct line_table {
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	Dwarf_Die *units;
	size_t unit_count, unit_capacity;
	struct range *ranges;
	size_t range_count, range_capacity;
};

static void close_file(struct line_table *table)
{
	dwarf_end(table->dwarf);
	elf_end(table->elf);
	if (table->fd >= 0)
		close(table->fd);
	table->dwarf = NULL;
	table->elf = NULL;
	table->fd = -1;
}

/* libdw takes it for granted that the last text of a section ends: where a byte was changed it would read on behind it. */
static bool texts_end(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		Elf_Data *data;

		if (!name || (strcmp(name, ".debug_str") && strcmp(name, ".debug_line_str")) || header.sh_type == SHT_NOBITS)
			continue;
		if (header.sh_flags & SHF_COMPRESSED && elf_compress(section, 0, 0) < 0)
			return false;
		data = elf_rawdata(section, NULL);
		if (!data || (data->d_size && (!data->d_buf || ((const char *)data->d_buf)[data->d_size - 1])))
			return false;
	}
	return true;
}

static bool open_file(struct line_table *table, const char *path)
{
	table->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (table->fd < 0)
		return false;
	table->elf = make_elf(table->fd);
	if (!table->elf)
		return false;
	if (!texts_end(table->elf))
		return true; /* without lines */
	table->dwarf = dwarf_begin_elf(table->elf, DWARF_C_READ, NULL);
	return true;
}

static bool is_wanted(const struct line_table *table, const struct symbol_want *want)
{
	uint8_t id[BUILD_ID_BYTES_MAX];
	size_t bytes, want_bytes;

	if (!want || !want->build_id_bytes || !elf_build_id(table->elf, id, &bytes))
		return true;
	want_bytes = want->build_id_bytes < BUILD_ID_BYTES_MAX ? want->build_id_bytes : BUILD_ID_BYTES_MAX;
	return bytes == want_bytes && !memcmp(id, want->build_id, bytes);
}

/* The program itself, else its separate debug file. */
static void open_lines(struct line_table *table, const char *path, const struct symbol_want *want, struct diag *diag)
{
	char *debug = NULL;

	if (open_file(table, path) && is_wanted(table, want) && !table->dwarf)
		debug = make_debug_path(table->elf, path, diag);
	else if (table->dwarf && is_wanted(table, want))
		return;
	close_file(table);
	if (debug && !open_file(table, debug))
		close_file(table);
	free(debug);
}

static bool add_unit(struct line_table *table, Dwarf_Die *unit)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;

	if (table->unit_count >= UNITS_MAX ||
		!array_reserve(&table->units, &table->unit_capacity, table->unit_count + 1, sizeof *table->units))
		return false;
	table->units[table->unit_count] = *unit;
	while ((offset = dwarf_ranges(unit, offset, &base, &low, &high)) > 0) {
		if (low >= high)
			continue;
		if (table->range_count >= RANGES_MAX ||
			!array_reserve(&table->ranges, &table->range_capacity, table->range_count + 1, sizeof *table->ranges))
			return false;
		table->ranges[table->range_count++] = (struct range){.low = low, .high = high, .unit = (uint32_t)table->unit_count};
	}
	table->unit_count++;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct range *left = a, *right = b;

	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	return left->unit < right->unit ? -1 : left->unit > right->unit;
}

static void read_units(struct line_table *table)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint64_t reach = 0;

	while (table->dwarf && dwarf_get_units(table->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
		if (dwarf_tag(&die) && !add_unit(table, &die))
			break;
	if (table->range_count)
		qsort(table->ranges, table->range_count, sizeof *table->ranges, by_address);
	for (size_t i = 0; i < table->range_count; i++) {
		reach = table->ranges[i].high > reach ? table->ranges[i].high : reach;
		table->ranges[i].reach = reach;
	}
}

struct line_table *make_line_table(const char *path, const struct symbol_want *want, struct diag *diag)
{
	struct line_table *table = calloc(1, sizeof *table);

	if (!table)
		return NULL;
	open_lines(table, path, want, diag);
	read_units(table);
	return table;
}

void free_line_table(struct line_table *table)
{
	if (!table)
		return;
	close_file(table);
	free(table->units);
	free(table->ranges);
	free(table);
}

bool line_table_has_lines(const struct line_table *table)
{
	return table->range_count;
}

/* A relative name is meant from where the compiler ran. */
static char *make_text(Dwarf_Die *unit, const char *file, int line)
{
	Dwarf_Attribute attribute;
	const char *folder = NULL;
	char *text;

	if (file[0] != '/')
		folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	return asprintf(&text, "%s%s%s:%d", folder ? folder : "", folder ? "/" : "", file, line) < 0 ? NULL : text;
}

/* The first row of the address: of a function's first address there are two where optimised code begins with the first statement, and the
 * first of them is the function's own. Else the row that reaches over the address. */
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
	if (!row || dwarf_lineno(row, &line) || line <= 0) /* 0: the compiler's own */
		return NULL;
	file = dwarf_linesrc(row, NULL, NULL);
	return file ? make_text(unit, file, line) : NULL;
}

/* Ranges that a search looks at: only a hostile file piles more on one address. */
#define SEARCH_MAX 64u

char *make_line_text(struct line_table *table, uint64_t address)
{
	size_t low = 0, high = table->range_count; /* ranges[low - 1] begins at or below the address; ranges[high] does not */

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->ranges[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (uint32_t looked = 0; low && looked < SEARCH_MAX && table->ranges[low - 1].reach > address; low--, looked++) {
		const struct range *range = &table->ranges[low - 1];
		char *text = address < range->high ? make_text_in_unit(&table->units[range->unit], address) : NULL;

		if (text)
			return text;
	}
	return NULL;
}
