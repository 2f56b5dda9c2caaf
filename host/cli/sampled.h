/* sampled: the options for commands with sampling, and the sampling itself. */
#ifndef DWELL_HOST_CLI_SAMPLED_H
#define DWELL_HOST_CLI_SAMPLED_H

#include <stdbool.h>

#include "cli/option.h"
#include "record/program/launch.h"
#include "sample/sampling.h"

struct sampled {
	struct sampling_options options;
	const char *sample; /* the option that requests sampling; null: none */
	const char *trace;  /* the option that requests tracing; null: none */
	bool traces;        /* also traces programs without hooks */
	bool can_trace;     /* --trace could record the calls of this program without hooks; set by sampled_choose_… */
};

/* Rows for struct sampled. The rows about sampling are of the family "sampling", --trace is of "tracing". */
extern const struct option_row sampled_rows[];
/* The row that includes sampled_rows. pre: the command's struct options has a member `struct sampled sampled`. */
#define ROWS_SAMPLED {.kind = OPTION_ROWS, .at = OPTION_AT(sampled), .rows = sampled_rows}
/* The last members of each row about sampling: its family, and what the row excludes. */
#define SAMPLES                                                                                                                    \
	.family = "sampling", .started = OPTION_OBEYED,                                                                            \
	.excludes = OPTION_EXCLUDES({"tracing", "one or the other; the first samples, the second traces"})
/* The row -F. member: offset of sampling_options.hz in the struct that the rows fill. */
#define ROW_RATE(member)                                                                                                           \
	{"-F", "HZ", OPTION_NUMBER, member, "samples per second of CPU time, 1 to 20000 (997)", .rare = true, .low = SAMPLING_HZ_MIN,              \
		.high = SAMPLING_HZ_MAX, SAMPLES}

/* Call this after all options are read: sets sample and trace. */
void sampled_finish(const struct option_line *line, struct sampled *sampled);

/* Whether to sample: an option requests sampling, or the program has no hooks and no option requests tracing. If the program has
 * no hooks, *why becomes a text for sampled_print_reason, stored in reason; else *why stays unchanged. agent: the path of the agent
 * that may be loaded in the process. */
#define SAMPLED_REASON_BYTES 512
bool sampled_choose_program(struct sampled *sampled, char reason[static SAMPLED_REASON_BYTES], const char **why);
bool sampled_choose_process(struct sampled *sampled, pid_t pid, const char *agent, char reason[static SAMPLED_REASON_BYTES],
	const char **why);
/* Prints the reason on the terminal. Null: prints nothing. */
void sampled_print_reason(const struct sampled *sampled, const char *reason);

/* Runs the program, or samples the process options.attach. reason: why it is sampled, for the terminal; null: an option requests
 * sampling. If sampling covers only a part of the program's time, waits for the program's end. False: sampling was not started. */
bool sampled_run(struct sampled *sampled, const char *reason, struct launch *launch, struct diag *diag);

#endif
