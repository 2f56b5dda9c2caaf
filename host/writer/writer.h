/* writer: writes a table as bytes. Each form is one file. Writers report a full disk as a diag at the end; they never exit. */
#ifndef DWELL_HOST_WRITER_WRITER_H
#define DWELL_HOST_WRITER_WRITER_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/table.h"
#include "util/diag.h"
#include "writer/writer_options.h"

/* Returns the sink for tables written to out (borrowed). name is for messages ("standard output"). Tables may follow
 * each other. A table's name and columns are borrowed until the table's end, cells until row returns. If out of
 * memory, adds a diag and returns a sink that ignores all rows. */
struct table_sink make_table_writer(const struct writer_options *options, FILE *out, const char *name, struct diag *diag);
void free_table_writer(struct table_sink *sink);

/* Returns whether the last table showed the column with this title (or this key, if the title is ""). A narrow terminal may
 * lack room for the column. sink comes from make_table_writer. */
bool table_writer_shows(const struct table_sink *sink, const char *title);

#endif
