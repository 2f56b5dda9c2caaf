/* folded: writes a call tree as folded stacks, which flame graph tools read: main;work;sort 4711
 *
 * Takes a table in preorder with a depth (UNIT_INDENT), a name (UNIT_NAME) and a weight (the column whose key is weight_key, or
 * weight_key_ns). Writes a line for each path with a weight above 0. A ';' or a line break in a name would end a frame: the former
 * becomes ':', and unsafe characters become escapes such as \n.
 *
 * A line has at most 1,001 names. For a deeper path it has the outermost 1,000 names, one frame "[...]", and the innermost name,
 * which the weight belongs to. Each function's own weights are therefore those of the table. */
#ifndef DWELL_HOST_WRITER_EXPORT_FOLDED_H
#define DWELL_HOST_WRITER_EXPORT_FOLDED_H

#include <stdio.h>

#include "analysis/table.h"
#include "util/diag.h"

/* Returns the sink for tables written to out (borrowed); name is for messages. weight_key is borrowed. If out of
 * memory, adds a diag and returns a sink that ignores its rows. */
struct table_sink make_folded_writer(const char *weight_key, FILE *out, const char *name, struct diag *diag);
/* Adds a last line with a comment instead of a path: "# text". sink comes from
 * make_folded_writer; text is borrowed. Null, "": no such line. */
void folded_set_note(struct table_sink *sink, const char *text);
void free_folded_writer(struct table_sink *sink);

#endif
