/* shares: the report of a trace of samples, for the commands that print one. */
#ifndef DWELL_HOST_CMD_REPORT_SHARES_H
#define DWELL_HOST_CMD_REPORT_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "query/trace.h"
#include "writer/writer.h"

struct shares_options {
	enum writer_form form;
	const char *sort; /* null: by share */
	uint64_t limit;
	bool lines, full_names;
};

/* To standard output; as text with a summary above it. False: no memory. What else is wrong is a diag. */
bool shares_write(const struct trace *trace, const struct shares_options *options);

#endif
