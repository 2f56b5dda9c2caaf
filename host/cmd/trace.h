/* trace: a file, read and modelled: source → reader → model, for every command that reports one. */
#ifndef DWELL_HOST_CMD_TRACE_H
#define DWELL_HOST_CMD_TRACE_H

#include <stdbool.h>

#include "cmd/command.h"
#include "model/model.h"
#include "reader/reader.h"

struct trace {
	const char *path;
	struct reader *reader;
	struct model *model;
	struct diag *diag;
	bool is_seekable;
	bool wants_thread; /* one was asked for */
};

/* Opens path ("-": standard input). False and a diag when it cannot be. trace_close in any case. */
bool trace_open(struct trace *trace, const char *path, struct diag *diag);

/* Makes the model. Where a thread is asked for, a file is read through once before, so that it is known by every name it will have. False
 * and a diag when there is no memory. */
bool trace_make_model(struct trace *trace, const struct model_options *options);

/* Feeds all that is left to the model, with a progress line, and finishes it. False and a diag when a thread was asked for that is not
 * there. */
bool trace_read(struct trace *trace);

void trace_close(struct trace *trace);

#endif
