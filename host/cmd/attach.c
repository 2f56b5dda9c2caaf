/* dwell attach: records a process that runs already. */
#include "cmd/attach.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/agent.h"
#include "cli/closing.h"
#include "cli/command.h"
#include "cli/option_value.h"
#include "cli/sampled.h"
#include "cli/tracing.h"
#include "record/session/recording.h"

static const char about[] =
	"For its calls to be recorded the process must have hooks (see dwell cflags), and\n"
	"the agent in it: linked (dwell cflags --link), or preloaded when it was started,\n"
	"LD_PRELOAD=libdwell.so. Until somebody attaches, its hooks return at once. Any\n"
	"other process is sampled, with all that it starts, and a line says so. It is not\n"
	"stopped, nothing that it waits for is interrupted, and afterwards it goes on as\n"
	"before; it can be attached to again, any number of times.\n"
	"\n"
	"A process that was started with `dwell record --off` is turned on for that time;\n"
	"its calls are in the file of that record. With `dwell record --off --args` what\n"
	"they are given and return is, too, which has to be known when a program starts.\n"
	"\n"
	"Exit status: 0, or 2 when it cannot be attached to, or called nothing that has\n"
	"hooks; 1 when no sample was taken.\n";

struct options {
	struct tracing tracing;
	struct sampled sampled;
};

static const struct option_row rows[] = {
	ROW_TRACE_FILE,
	{"--for", "TIME", OPTION_DURATION, OPTION_AT(sampled.options.for_ns),
		"how long, from its first call on: 5s, 500ms, 2min; without it until the process ends, or Ctrl-C", .low = 1,
		.expected = "a time with its unit, as 5s, 500ms or 2min"},
	ROWS_TRACING,
	ROWS_SAMPLED,
	{"--throttle", "[=PERCENT]", OPTION_REFUSED, 0, THROTTLE_NEEDS_START},
	{0}};

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	struct option_line line;

	if (!option_read_line(&command_attach, options, argc, argv, &line, diag) || !tracing_finish(&line, &options->tracing, diag))
		return false;
	sampled_finish(&line, &options->sampled);
	if (argc - line.first != 1)
		return option_refuse_words(&command_attach, argc == line.first ? "which process?" : "one process at a time;", diag);
	return option_read_pid(&command_attach, argv[line.first], &options->tracing.options.attach, diag);
}

int attach_to_process(struct recording_options *options, struct sampled *sampled, int argc, char **argv, struct diag *diag)
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
		closing_tell(&recorded, sample, diag);
	}
	free(agent);
	free(line);
	return COMMAND_BY_DIAG;
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options = {.tracing.options = {.on_begin = tracing_print_now}, .sampled.options = {.hz = SAMPLING_HZ}};
	int status = COMMAND_BY_DIAG;

	if (read_options(argc, argv, &options, diag))
		status = attach_to_process(&options.tracing.options, &options.sampled, argc, argv, diag);
	tracing_clear(&options.tracing);
	return status;
}

const struct command command_attach = {
	"attach", "PID", "Records a process that runs already", rows, about, run, OPERANDS_OTHER};
