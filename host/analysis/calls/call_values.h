/* call_values: what a call was given and gave back, as columns for scripts and as a line for people. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_CALL_VALUES_H
#define DWELL_HOST_ANALYSIS_CALLS_CALL_VALUES_H

#include <stddef.h>

#include "analysis/table.h"
#include "model/model.h"

/* arg1 … arg6, ret, lr: data only. */
#define CALL_VALUES_COLUMNS (DWELL_ARGS_MAX + 2u)
extern const struct column call_values_columns[CALL_VALUES_COLUMNS];

/* values: null: nothing is known. */
void call_values_set(const struct call_values *values, struct cell cells[CALL_VALUES_COLUMNS]);

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
