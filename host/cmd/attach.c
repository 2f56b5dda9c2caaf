/* dwell attach: records the calls of a running process, or samples the process. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/agent.h"
#include "cli/closing.h"
#include "cli/command.h"
#include "option/option_value.h"
#include "cli/sampled.h"
#include "cli/tracing.h"
#include "record/session/recording.h"

static const char about[] =
	"To record calls dwell needs hooks in the process (see dwell cflags) and its\n"
	"agent: linked in (dwell cflags --link), or preloaded at the start with\n"
	"LD_PRELOAD=libdwell.so.1. Until somebody attaches, the hooks return at once.\n"
	"With --trace it needs neither. dwell samples any other process, with all that it\n"
	"starts, and prints a line that says so.\n"
	"\n"
	"The process goes on as before, during the recording and after it, and you can\n"
	"attach again any number of times. Sampling does not stop it; --trace makes one\n"
	"of its threads load the agent, as a debugger could, and stops all threads for\n"
	"moments, while it changes their code. At the end the code is as before. The\n"
	"agent stays loaded, does nothing, and serves the next time.\n"
	"\n"
	"If the process was started by `dwell record --off`, attach turns recording on,\n"
	"and the calls go to the file of that record. Arguments and return values need\n"
	"`dwell record --off --args`, as dwell must know at the start.\n"
	"\n"
	"Exit status: 0; 1 if no sample was taken; 2 if dwell could not attach, or the\n"
	"process called nothing that has hooks.\n";

struct options {
	struct tracing tracing;
	struct sampled sampled;
};

static const struct option_row rows[] = {
	ROW_TRACE_FILE,
	{"--for", "TIME", OPTION_DURATION, OPTION_AT(sampled.options.for_ns),
		"record for TIME (5s, 500ms, 2min) from the first call on. Without it: until the process ends, or Ctrl-C", .low = 1,
		.expected = "a time with its unit, as 5s, 500ms or 2min", .started = OPTION_OBEYED},
	ROWS_TRACING,
	ROWS_SAMPLED,
	{0}};

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	struct option_line line;

	if (!option_read_line(&command_attach, options, argc, argv, &line, diag) || !tracing_finish(&line, &options->tracing, diag))
		return false;
	sampled_finish(&line, &options->sampled);
	options->tracing.options.plans = options->sampled.traces;
	options->tracing.options.refused = option_get_refused(&line, &options->tracing.options.refused_as);
	if (argc - line.first != 1)
		return option_refuse_words(&command_attach, argc == line.first ? "which process?" : "one process at a time;", diag);
	return option_read_pid(&command_attach, argv[line.first], &options->tracing.options.attach, diag);
}

/* Records or samples until the end, then prints the closing line. Errors go to the diag. */
static int attach_to_process(struct recording_options *options, struct sampled *sampled, int argc, char **argv, struct diag *diag)
{
	struct launch launch = {0};
	struct recorded recorded = {0};
	const char *why = NULL;
	char reason[SAMPLED_REASON_BYTES];
	bool sample;
	char *agent = make_agent_path(diag), *line = make_command_line(argc, argv);

	if (agent) {
		options->agent = agent;
		options->for_ns = sampled->options.for_ns;
		options->command_line = sampled->options.command_line = line;
		sampled->options.attach = options->attach;
		sampled->options.output = options->output;
		options->recorded = sampled->options.recorded = &recorded;
		sample = sampled_choose_process(sampled, options->attach, agent, reason, &why);
		if (sample)
			sampled_run(sampled, why, &launch, diag);
		else
			recording_attach(options, diag);
		closing_add_line(&recorded, sample, diag);
	}
	free(agent);
	free(line);
	return COMMAND_BY_DIAG;
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options = {.tracing.options = {.on_begin = tracing_print_messages}, .sampled.options = {.hz = SAMPLING_HZ}};
	int status = COMMAND_BY_DIAG;

	if (read_options(argc, argv, &options, diag))
		status = attach_to_process(&options.tracing.options, &options.sampled, argc, argv, diag);
	tracing_clear(&options.tracing);
	return status;
}

const struct command command_attach = {"attach", "PID", "Records or samples a process that runs already", rows, about, run, OPERANDS_OTHER,
	.task = TASK_RECORD,
	.examples = "  dwell attach --for 5s 1234          record process 1234 for five seconds\n"
		    "  dwell attach --trace --for 5s 1234  its calls, although it has no hooks\n"};
