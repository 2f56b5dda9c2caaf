/* call_values: a call's arguments and return value (--args): columns for CSV and JSON, and a line for people. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_CALL_VALUES_H
#define DWELL_HOST_ANALYSIS_CALLS_CALL_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/table.h"
#include "model/model.h"

/* The columns arg1 … arg6, ret, lr (the return address). For CSV and JSON only. */
#define CALL_VALUES_COLUMNS (DWELL_ARGS_MAX + 2u)
extern const struct column call_values_columns[CALL_VALUES_COLUMNS];

/* values: null if the call has none. */
void call_values_set(const struct call_values *values, struct cell cells[CALL_VALUES_COLUMNS]);

/* Whether the call has at least one value. */
bool call_values_are_known(const struct call_values *values);

/* The line below a table with values; and the message if no call of the table has values. */
#define CALL_VALUES_FOOT "Values are those of the argument registers; a function may take fewer."
#define CALL_VALUES_NONE \
	"--args: the recording has no arguments of these calls; 'dwell record --args' records them, but not those of functions " \
	"compiled with -finstrument-functions"

/* Zeroed: empty. Call call_values_line_clear after the last use. */
struct call_values_line {
	char *text;
	size_t capacity;
};
/* Returns the call as a source might show it: "parse(3, ?, 0x7ffd12345678) = -1". Valid until the next call. Returns name itself if
 * the call has no values (values may be null) or memory runs out. */
const char *call_values_print(
	struct call_values_line *line, const struct model *model, const char *name, const struct call_values *values);
void call_values_line_clear(struct call_values_line *line);

#endif
