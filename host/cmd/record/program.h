/* program: runs a program and records its calls or samples it. For dwell record. */
#ifndef DWELL_HOST_CMD_RECORD_PROGRAM_H
#define DWELL_HOST_CMD_RECORD_PROGRAM_H

#include <stdbool.h>

#include "cli/sampled.h"
#include "cli/tracing.h"

struct record_program {
	struct tracing *tracing;
	struct sampled *sampled;
	int argc; /* dwell's own command line, for the header of the recording */
	char **argv;
	struct recorded *recorded; /* result; the caller clears it */
	bool was_sampled;          /* result */
};

/* Returns the program's exit status, with which dwell ends, too; or COMMAND_BY_DIAG. */
int record_program(struct record_program *what, struct diag *diag);

#endif
