/* dwell symbols: lists the functions of a program file as all commands use them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "cmd/symbol_sites.h"
#include "symbol/debug/line.h"
#include "symbol/symbol.h"
#include "util/file_name.h"
#include "util/term.h"
#include "writer/writer.h"

static const char about[] =
	"PROGRAM is an ELF file, a program of the Atari ST (GEMDOS), or what TI's tools\n"
	"make: COFF files and linker maps.\n"
	"\n"
	"Functions are sorted by address, one line each. Several names at one address are\n"
	"one function, under the name that reports use (a global name before a local one,\n"
	"then the shortest). If the file does not give a size, the function reaches up to\n"
	"the next one. In a file without a full symbol table, functions without a name\n"
	"come from its unwind tables: app+0x1234. Addresses are the file's own, before\n"
	"the system loads it.\n"
	"\n"
	"--sites shows how dwell record --trace records each function of an x86-64\n"
	"program without hooks: timed (at its entry and all exits), counted (at its entry\n"
	"only), or left alone, with the reason. These functions come from the unwind\n"
	"tables.\n";

enum { COLUMN_ADDRESS, COLUMN_SIZE, COLUMN_NAME, COLUMN_LINE, COLUMN_COUNT };
static const struct column columns[] = {
	[COLUMN_ADDRESS] = {.key = "address", .title = "address", .unit = UNIT_ADDRESS},
	[COLUMN_SIZE] = {.key = "size", .title = "size", .unit = UNIT_COUNT},
	[COLUMN_NAME] = {.key = "name", .title = "function", .unit = UNIT_NAME},
	[COLUMN_LINE] = {.key = "line", .title = "line", .unit = UNIT_TEXT},
};

struct options {
	const char *path;
	enum writer_form form;
	uint64_t limit;
	bool lines, mangled, full_names, sites;
	struct symbol_choice choice;
};

static const struct option_row rows[] = {
	ROWS_FORM("columns: address,size,name: address in hexadecimal, size in bytes; with --sites also state, sites and reason"),
	ROW_LIMIT("functions"),
	ROW_LINES,
	ROW_FULL_NAMES,
	{"--mangled", NULL, OPTION_FLAG, OPTION_AT(mangled),
		"names as the file has them. Without it C++, Rust, D and Fortran names are demangled"},
	{"--all-names", NULL, OPTION_FLAG, OPTION_AT(choice.all_names),
		"all names of a function, in byte order, joined with ' - '"},
	{"--globals-only", NULL, OPTION_FLAG, OPTION_AT(choice.globals_only), HELP_GLOBALS_ONLY},
	{"--sites", NULL, OPTION_FLAG, OPTION_AT(sites),
		"show which functions dwell record --trace can record in a program without hooks, and why it leaves the others "
		"alone",
		.excludes = OPTION_EXCLUDES({"--lines", "sites have no line of their own"})},
	{0}};

static void write_row(const struct table_sink *sink, uint64_t address, uint64_t size, const char *name,
	const struct options *options, struct line_table *lines)
{
	char *line = lines ? make_line_text(lines, address) : NULL;
	char *display = options->mangled ? NULL : make_symbol_display_name(name);
	struct cell cells[COLUMN_COUNT] = {0};

	cells[COLUMN_ADDRESS].count = address;
	cells[COLUMN_SIZE].count = size;
	cells[COLUMN_NAME].text = display ? display : name;
	cells[COLUMN_LINE].text = line;
	cells[COLUMN_LINE].absent = !line;
	sink->row(sink->context, cells);
	free(display);
	free(line);
}

static void write_symbols(const struct symbol_table *table, const struct options *options, struct diag *diag)
{
	struct writer_options form = {.form = options->form,
		.colour = term_has_colour(stdout),
		.width = term_width(stdout),
		.full_names = options->full_names || options->mangled};
	struct table_sink sink = make_table_writer(&form, stdout, "standard output", diag);
	int length;
	const char *file = file_name_shown(options->path, &length);
	struct line_table *lines = options->lines ? make_line_table(options->path, NULL, diag) : NULL;
	size_t count = symbol_count(table) + symbol_extent_count(table);

	sink.begin(sink.context, "symbols", columns, options->lines ? COLUMN_COUNT : COLUMN_LINE);
	for (size_t row = 0, i = 0, k = 0; row < options->limit && (symbol_at(table, i) || symbol_extent_at(table, k)); row++) {
		const struct symbol *symbol = symbol_at(table, i);
		const struct symbol_extent *extent = symbol_extent_at(table, k);

		if (!extent || (symbol && symbol->address < extent->address)) {
			write_row(&sink, symbol->address, symbol->size, symbol->name, options, lines);
			i++;
		} else {
			char place[300];

			snprintf(place, sizeof place, "%.*s+0x%llx", length, file, (unsigned long long)extent->address);
			write_row(&sink, extent->address, extent->size, place, options, lines);
			k++;
		}
	}
	sink.end(sink.context);
	if (options->form == WRITER_TEXT && options->limit < count)
		output_print_rest(&(struct table_rest){.rows = count - options->limit}, "function");
	free_table_writer(&sink);
	free_line_table(lines);
}

static void write_sites(const struct symbol_table *table, const struct options *options, struct diag *diag)
{
	const struct writer_options form = {.form = options->form,
		.colour = term_has_colour(stdout),
		.width = term_width(stdout),
		.full_names = options->full_names || options->mangled};

	symbol_sites_write(options->path, table, &form, options->limit, options->mangled, diag);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct symbol_request want = {.required = true};
	struct options options = {.limit = UINT64_MAX};
	struct symbol_table *table;

	if (!option_read(&command_symbols, &options, "program", argc, argv, &options.path, diag))
		return COMMAND_BY_DIAG;
	want.choice = options.choice;
	table = make_symbol_table(options.path, &want, diag);
	if (symbol_state(table) == SYMBOL_READ) {
		if (!symbol_count(table) && !symbol_extent_count(table) && diag_status(diag) == 0) /* else a diag has a reason */
			diag_add(diag, DIAG_WARN, options.path, DIAG_NO_OFFSET, "has no function symbols: stripped?");
		if (options.sites)
			write_sites(table, &options, diag);
		else
			write_symbols(table, &options, diag);
	}
	free_symbol_table(table);
	return COMMAND_BY_DIAG;
}

const struct command command_symbols = {"symbols", "PROGRAM", "Lists the functions of a program file", rows, about, run,
	.task = TASK_TOOLS,
	.examples = "  dwell symbols ./app          addresses, sizes and names\n"
		    "  dwell symbols --sites ./app  what dwell record --trace can record\n"};
