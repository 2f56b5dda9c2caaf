/* split: the report of one function's samples by parts of its code, for report --split. */
#ifndef DWELL_HOST_CMD_REPORT_SPLIT_H
#define DWELL_HOST_CMD_REPORT_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "query/trace.h"
#include "writer/writer.h"

#define SPLIT_INTERVALS 25u

struct split_options {
	const char *function; /* as it was asked for */
	uint64_t intervals;   /* 1 to SPLIT_INTERVALS_MAX */
	enum writer_form form;
};

/* Of a trace that was read with these in the model's options. What cannot be answered is a diag. */
void split_report(const struct trace *trace, const struct split_options *options);

#endif
