/* export_json: dwell's own JSON: the data of `info`, `report` and `tree` in one object with a version. doc/json.md describes each
 * key, and a test checks that. */
#ifndef DWELL_HOST_CMD_EXPORT_JSON_H
#define DWELL_HOST_CMD_EXPORT_JSON_H

#include <stdio.h>

#include "query/trace.h"

#define EXPORT_JSON_VERSION 1

/* The trace must have a model with a tree, and must not be read yet. name: the name of out, for messages. */
void export_json_write(struct trace *trace, FILE *out, const char *name);

#endif
