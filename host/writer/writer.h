/* writer: a table → bytes. One file for each form. Writers report a full disk as a diag at end; they never exit. */
#ifndef DWELL_HOST_WRITER_WRITER_H
#define DWELL_HOST_WRITER_WRITER_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/table.h"
#include "util/diag.h"
#include "writer/writer_options.h"

/* Makes the sink for tables written to out (borrowed). name is for messages ("standard output"). One table after the other may be
 * written. A table's name and columns are borrowed until its end, cells until row returns. When there is no memory the sink
 * swallows its rows and diag knows. */
struct table_sink make_table_writer(const struct writer_options *options, FILE *out, const char *name, struct diag *diag);
void free_table_writer(struct table_sink *sink);

/* Of the table that was written last: whether it has a column of this title (of this key, if its title is ""), which on a narrow terminal it may have done
 * without. sink is the writer's own. */
bool table_writer_shows(const struct table_sink *sink, const char *title);

#endif
