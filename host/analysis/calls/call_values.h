/* call_values: what a call was given and gave back, as columns for scripts and as a line for people. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_CALL_VALUES_H
#define DWELL_HOST_ANALYSIS_CALLS_CALL_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/table.h"
#include "model/model.h"

/* arg1 … arg6, ret, lr: data only. */
#define CALL_VALUES_COLUMNS (DWELL_ARGS_MAX + 2u)
extern const struct column call_values_columns[CALL_VALUES_COLUMNS];

/* values: null: nothing is known. */
void call_values_set(const struct call_values *values, struct cell cells[CALL_VALUES_COLUMNS]);

/* Whether anything is known of them. */
bool call_values_are_known(const struct call_values *values);

/* What stands below a table that shows some, and what is said where a recording has none of the calls that are shown. */
#define CALL_VALUES_FOOT "Values are those of the argument registers; a function may take fewer."
#define CALL_VALUES_NONE \
	"--args: the recording has no arguments of these calls; 'dwell record --args' records them, but not those of functions " \
	"compiled with -finstrument-functions"

/* Zeroed: empty. Clear it after the last use. */
struct call_values_line {
	char *text;
	size_t capacity;
};
/* The call as it might stand in a source: "parse(3, ?, 0x7ffd12345678) = -1". Borrowed until the next one; name itself if nothing is known
 * (null, too), or there is no memory. */
const char *call_values_print(
	struct call_values_line *line, const struct model *model, const char *name, const struct call_values *values);
void call_values_line_clear(struct call_values_line *line);

#endif
