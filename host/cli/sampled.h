/* sampled: the options that commands have which can sample, and how they do it. */
#ifndef DWELL_HOST_CLI_SAMPLED_H
#define DWELL_HOST_CLI_SAMPLED_H

#include <stdbool.h>

#include "cli/option.h"
#include "record/program/launch.h"
#include "sample/sampling.h"

struct sampled {
	struct sampling_options options;
	const char *sample; /* the option that asks for sampling; null: none did */
	const char *trace;  /* likewise for tracing */
	bool traces;        /* programs without hooks, too */
	bool plannable;     /* the program could be traced without hooks */
};

/* Rows of struct sampled: those that sample are of the family "sampling", --trace is of "tracing". */
extern const struct option_row sampled_rows[];
#define ROWS_SAMPLED {.kind = OPTION_ROWS, .at = OPTION_AT(sampled), .rows = sampled_rows}
/* One by one, for commands that have not all of them; the command's member is sampled. */
#define SAMPLES .family = "sampling", .excludes = OPTION_EXCLUDES({"tracing", "one or the other; the first samples, the second traces"})
#define ROW_RATE(member)                                                                                                           \
	{"-F", "HZ", OPTION_NUMBER, member, "samples per second of CPU time, 1 to 20000 (997)", .rare = true, .low = SAMPLING_HZ_MIN,              \
		.high = SAMPLING_HZ_MAX, SAMPLES}

/* When all options are read: what asks for sampling, and for tracing. */
void sampled_finish(const struct option_line *line, struct sampled *sampled);

/* Whether it is sampled: it was asked for, or no hooks are found. Of the second *why is text for sampled_tell_reason, in reason; else it is
 * left alone. agent: the one that could be in a process. */
#define SAMPLED_REASON_BYTES 512
bool sampled_choose_program(struct sampled *sampled, char reason[static SAMPLED_REASON_BYTES], const char **why);
bool sampled_choose_process(struct sampled *sampled, pid_t pid, const char *agent, char reason[static SAMPLED_REASON_BYTES],
	const char **why);
/* A line to the terminal; null: none. */
void sampled_tell_reason(const struct sampled *sampled, const char *reason);

/* Runs the program, or looks at options.attach. reason: why it is sampled, for a line to the terminal; null: it was asked for. Where it is
 * sampled for a part of its time only, it is waited for. False: it was not started. */
bool sampled_run(struct sampled *sampled, const char *reason, struct launch *launch, struct diag *diag);

#endif
