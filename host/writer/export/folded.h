/* folded: a call tree as folded stacks, which flame graph tools read: main;work;sort 4711
 *
 * Takes a table in preorder with a depth (UNIT_INDENT), a name (UNIT_NAME) and a weight (the column whose key is
 * weight_key, or weight_key_ns). A line for each path whose weight is not 0. In names ';' and line breaks would end a frame: they
 * become ':' and ' '.
 *
 * A line has at most 1,001 names and one frame "[...]" instead of those that are left out between them: of what is deeper the outermost 1,000
 * are written, and the innermost, whose weight it is. So each function's own weights are the table's. */
#ifndef DWELL_HOST_WRITER_EXPORT_FOLDED_H
#define DWELL_HOST_WRITER_EXPORT_FOLDED_H

#include <stdio.h>

#include "analysis/table.h"
#include "util/diag.h"

/* The sink for tables written to out (borrowed); name is for messages. weight_key is borrowed. When there is no memory it swallows
 * its rows and diag knows. */
struct table_sink make_folded_writer(const char *weight_key, FILE *out, const char *name, struct diag *diag);
void free_folded_writer(struct table_sink *sink);

#endif
