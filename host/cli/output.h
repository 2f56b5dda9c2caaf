/* output: writes the tables of a command to standard output, in the requested form. */
#ifndef DWELL_HOST_CLI_OUTPUT_H
#define DWELL_HOST_CLI_OUTPUT_H

#include <stdbool.h>

#include "analysis/table.h"
#include "analysis/table_rest.h"
#include "model/clock.h"
#include "model/function/lines.h"
#include "util/units.h"
#include "writer/writer.h"

struct output_table {
	struct table_sink sink; /* the analysis writes to sink, which adds source lines … */
	struct table_sink writer; /* … and writes to writer */
	struct lines *lines; /* null: no source lines requested */
};

/* Begins a table on standard output. clock: the clock of its times; null: all times are nanoseconds. functions: adds source lines;
 * null: no source lines. full_names: full C++ names for people, too. */
struct output_table output_begin_table(
	enum writer_form form, const struct clock_map *clock, struct functions *functions, bool full_names, struct diag *diag);

/* Whether a written table for people has a column with this title. A column with the title "" is found by its key. */
bool output_shows(const struct output_table *table, const char *title);

/* Prints the line below a table cut by --limit, for people: "12 more functions: 3.41 % of self time". what: the noun for rows:
 * "function". Prints nothing if no row is left out. */
void output_print_rest(const struct table_rest *rest, const char *what);

void output_end_table(struct output_table *table);

#endif
