#include "cli/output.h"

#include <stdio.h>

#include "analysis/with_lines.h"
#include "util/term.h"

struct output_table output_begin_table(
	enum writer_form form, const struct clock_map *clock, struct functions *functions, bool full_names, struct diag *diag)
{
	const struct writer_options options = {
		.form = form,
		.colour = term_has_colour(stdout),
		.ascii = !term_has_utf8(),
		.width = term_width(stdout),
		.ticks = clock && clock_is_unknown(clock),
		.full_names = full_names};
	struct output_table table = {.writer = make_table_writer(&options, stdout, "standard output", diag),
		.lines = functions ? make_lines(functions, diag) : NULL};

	table.sink = make_lines_sink(table.lines, &table.writer);
	return table;
}

bool output_shows(const struct output_table *table, const char *title)
{
	return table_writer_shows(&table->writer, title);
}

void output_print_rest(const struct table_rest *rest, const char *what)
{
	char count[UNITS_TEXT_BYTES], percent[UNITS_TEXT_BYTES];

	if (!rest->rows)
		return;
	units_format_count(count, rest->rows);
	units_format_percent(percent, rest->percent);
	printf("%s more %s%s", count, what, rest->rows == 1 ? "" : "s");
	if (rest->of)
		printf(": %s of %s", percent, rest->of);
	putchar('\n');
}

void output_end_table(struct output_table *table)
{
	free_lines_sink(&table->sink);
	free_table_writer(&table->writer);
	free_lines(table->lines);
}
