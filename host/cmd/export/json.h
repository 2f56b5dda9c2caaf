/* export_json: dwell's own JSON: all that `info`, `report` and `tree` know of a recording, in one object with a version. doc/json.md says
 * what each key is, and a test that it does. */
#ifndef DWELL_HOST_CMD_EXPORT_JSON_H
#define DWELL_HOST_CMD_EXPORT_JSON_H

#include <stdio.h>

#include "analysis/table.h"
#include "query/trace.h"

#define EXPORT_JSON_VERSION 1

/* The trace has a model with a tree, and was not read yet. name is of out, for messages. */
void export_json_write(struct trace *trace, FILE *out, const char *name);

/* The table of `report`, all of it: of calls, samples or sums. False when there is no memory: nothing was written. */
bool export_write_report(const struct trace *trace, const struct table_sink *sink);

#endif
