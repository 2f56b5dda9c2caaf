/* output: where the tables of a command go, in the form that its options ask for. */
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
	struct table_sink sink; /* what an analysis writes to */
	struct table_sink writer;
	struct lines *lines; /* null: nobody asked for them */
};

/* To standard output. clock: whose times they are; null: all are nanoseconds. functions: lines are asked for; null: not. full_names: for
 * people, too. */
struct output_table output_begin_table(
	enum writer_form form, const struct clock_map *clock, struct functions *functions, bool full_names, struct diag *diag);

/* Of the table that an analysis has written: whether people see a column of this title (of this key, if its title is ""). */
bool output_shows(const struct output_table *table, const char *title);

/* Below a table that --limit ends, for people: "12 more functions: 3.41 % of self time". what: "function". */
void output_print_rest(const struct table_rest *rest, const char *what);

void output_end_table(struct output_table *table);

#endif
