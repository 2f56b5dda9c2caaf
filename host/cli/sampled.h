/* sampled: the options that commands have which can sample, and how they do it. */
#ifndef DWELL_HOST_CLI_SAMPLED_H
#define DWELL_HOST_CLI_SAMPLED_H

#include <getopt.h>
#include <stdbool.h>

#include "cli/command.h"
#include "record/program/launch.h"
#include "sample/sampling.h"

struct sampled {
	struct sampling_options options;
	bool has_rate;     /* -F was said */
	double until;      /* percentage points, 0: no matter */
	const char *sample; /* the option that asks for sampling; null: none did */
	const char *trace;  /* likewise for tracing */
};

/* getopt_long's rows, and what they return. */
enum {
	SAMPLED_RATE = 'F',
	SAMPLED_SAMPLE = 2000,
	SAMPLED_FIXED,
	SAMPLED_NO_STACKS,
	SAMPLED_STACKS,
	SAMPLED_FOR,
	SAMPLED_UNTIL,
	SAMPLED_TRACE,
	SAMPLED_ENGINE
};

/* Whether an option that getopt_long() returned is one of these. */
static inline bool sampled_is(int option)
{
	return option == SAMPLED_RATE || (option >= SAMPLED_SAMPLE && option <= SAMPLED_ENGINE);
}

#define SAMPLED_ROWS                                                                                                               \
	{"sample", no_argument, NULL, SAMPLED_SAMPLE}, {"fixed", no_argument, NULL, SAMPLED_FIXED},                                \
		{"no-stacks", no_argument, NULL, SAMPLED_NO_STACKS}, {"stacks", required_argument, NULL, SAMPLED_STACKS},                             \
		{"for", required_argument, NULL, SAMPLED_FOR},                                                                       \
		{"until", required_argument, NULL, SAMPLED_UNTIL}, {"trace", no_argument, NULL, SAMPLED_TRACE},                       \
		{"engine", required_argument, NULL, SAMPLED_ENGINE}

#define SAMPLED_HELP                                                                                                               \
	"  --sample       looks at the program now and then, instead of recording its\n"                                           \
	"                 calls: nothing has to be compiled for it, and it is not slowed\n"                                        \
	"                 down; the report is shares, each with how far it may be off\n"                                           \
	"  --trace        records calls, also where no hooks are found before it runs\n"                                           \
	"  -F HZ          samples a second of CPU time, 1 to 20000 (997)\n"                                                        \
	"  --fixed        samples at even distances; else these vary at random, so that\n"                                         \
	"                 no rhythm of the program's own can hide in them\n"                                                       \
	"  --stacks HOW   how callers are found. copy (without it): what is needed of the\n"                                       \
	"                 stack is copied, up to 48 KiB. frame-pointers: less is copied,\n"                                        \
	"                 and behind it the kernel follows these, as far as the code\n"                                            \
	"                 keeps any (-fno-omit-frame-pointer). none: not at all\n"                                                 \
	"  --no-stacks    where the program is only, not who called, as --stacks none\n"                                           \
	"  --engine=NAME  what looks at it: perf, the kernel's perf events, or timer,\n"                                           \
	"                 timers from within the program (of programs that record\n"                                               \
	"                 starts); without it timers where perf events are refused\n"                                              \
	"  --until PP     samples until the share of each function above 1 % is known to\n"                                        \
	"                 so many percentage points: 0.5pp\n"

/* Takes one option. False and a diag: its value is wrong. pre: option is one of the above. */
bool sampled_take(const struct command *command, struct sampled *sampled, int option, const char *value, struct diag *diag);
/* What a value of one of them is one of (command.h). */
const char *sampled_get_values(const char *option);
/* When all options are read. False and a diag: they contradict each other. */
bool sampled_check(const struct command *command, const struct sampled *sampled, struct diag *diag);

/* Whether it is sampled: it was asked for, or no hooks are found. Of the second *why is text for sampled_tell_reason, in reason; else it is
 * left alone. agent: the one that could be in a process. */
#define SAMPLED_REASON_BYTES 512
bool sampled_choose_program(const struct sampled *sampled, char reason[static SAMPLED_REASON_BYTES], const char **why);
bool sampled_choose_process(const struct sampled *sampled, pid_t pid, const char *agent, char reason[static SAMPLED_REASON_BYTES],
	const char **why);
/* A line to the terminal; null: none. */
void sampled_tell_reason(const struct sampled *sampled, const char *reason);

/* Runs the program, or looks at options.attach. reason: why it is sampled, for a line to the terminal; null: it was asked for. Where it is
 * sampled for a part of its time only, it is waited for. False: it was not started. */
bool sampled_run(struct sampled *sampled, const char *reason, struct launch *launch, struct diag *diag);

#endif
