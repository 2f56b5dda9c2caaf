/* inlined: --inlines, for the commands that have it. */
#ifndef DWELL_HOST_QUERY_INLINED_H
#define DWELL_HOST_QUERY_INLINED_H

#include <stdbool.h>

#include "query/trace.h"

/* Opens the file and reads it with the model's options, one of which is inlines. False and a diag: it could not be read, or --inlines
 * was asked for where it means nothing. trace_close in any case. */
bool inlined_read(struct trace *trace, const char *path, const struct model_options *options);
/* The same of a file that is open. begin: null, or told when the model is made and nothing is read yet. */
bool inlined_read_open(
	struct trace *trace, const struct model_options *options, void (*begin)(void *context, struct trace *trace), void *context);

#endif
