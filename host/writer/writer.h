/* writer: a table → bytes. One file for each form. Writers report a full disk as a diag at end; they never exit. */
#ifndef DWELL_HOST_WRITER_WRITER_H
#define DWELL_HOST_WRITER_WRITER_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/table.h"
#include "util/diag.h"

enum writer_form { WRITER_TEXT, WRITER_CSV, WRITER_JSON };

struct writer_options {
	enum writer_form form;
	bool colour;   /* text only */
	int width;     /* text only: columns of the terminal, 0: unlimited */
};

/* Makes the sink for a table written to out (borrowed). name is for messages ("standard output"). */
struct table_sink make_table_writer(const struct writer_options *options, FILE *out, const char *name, struct diag *diag);
void free_table_writer(struct table_sink *sink);

#endif
