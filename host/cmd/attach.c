/* dwell attach: records a process that runs already. */
#include "cmd/attach.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/agent.h"
#include "cli/closing.h"
#include "cli/command.h"
#include "cli/modes.h"
#include "cli/option.h"
#include "cli/sampled.h"
#include "cli/wanted.h"
#include "record/session/recording.h"

static const char help[] =
	"  --for TIME     how long, from its first call on: 5s, 500ms, 2min; without it\n"
	"                 until the process ends, or Ctrl-C\n"
	SAMPLED_HELP
	WANTED_HELP
	"  --stream, --ring=SIZE, --linear=SIZE, --memory=SIZE, --no-pack\n"
	"                 what is kept, and how, as for dwell record\n"
	MODES_ON_FULL_HELP("1s")
	"  -o FILE        the trace file; without it PROGRAM.dwell in this folder, and an\n"
	"                 earlier one is kept as PROGRAM.dwell.old\n"
	"\n"
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

static bool read_options(int argc, char **argv, struct recording_options *options, struct sampled *sampled, char **excluded,
	struct diag *diag)
{
	enum { STREAM = 1000, RING, LINEAR, MEMORY, NO_PACK, ON_FULL, THROTTLE };
	static const struct option known[] = {{"output", required_argument, NULL, 'o'}, SAMPLED_ROWS,
		{"stream", no_argument, NULL, STREAM}, {"ring", required_argument, NULL, RING},
		{"linear", required_argument, NULL, LINEAR}, {"memory", required_argument, NULL, MEMORY},
		{"no-pack", no_argument, NULL, NO_PACK}, {"on-full", required_argument, NULL, ON_FULL},
		{"throttle", optional_argument, NULL, THROTTLE}, WANTED_ROWS, {"help", no_argument, NULL, 'h'}, {0}};
	bool stream = false;
	int option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, ":ho:F:", known, NULL)) != -1) {
		if (sampled_is(option)) {
			if (!sampled_take(&command_attach, sampled, option, optarg, diag))
				return false;
			continue;
		}
		if (wanted_is(option)) {
			if (!wanted_take(&command_attach, option, optarg, options, excluded, &sampled->trace, diag))
				return false;
			continue;
		}
		switch (option) {
		case 'o':
			options->output = optarg;
			break;
		case NO_PACK:
			sampled->trace = "--no-pack";
			options->no_pack = true;
			break;
		case ON_FULL:
			sampled->trace = "--on-full";
			if (!modes_read_on_full(&command_attach, optarg, options, diag))
				return false;
			break;
		case STREAM:
			sampled->trace = "--stream";
			stream = true;
			break;
		case RING:
			sampled->trace = "--ring";
			if (!modes_read_ring(&command_attach, "ring", optarg, DWELL_MODE_RING, options, diag))
				return false;
			break;
		case LINEAR:
			sampled->trace = "--linear";
			if (!modes_read_ring(&command_attach, "linear", optarg, DWELL_MODE_LINEAR, options, diag))
				return false;
			break;
		case MEMORY:
			sampled->trace = "--memory";
			if (!modes_read_memory(&command_attach, optarg, options, diag))
				return false;
			break;
		case THROTTLE:
			wanted_refuse_throttle(&command_attach, diag);
			return false;
		default:
			return option_refuse(&command_attach, option, argv, diag);
		}
	}
	if (!wanted_check(&command_attach, options, stream, diag) || !modes_check(&command_attach, options, stream, diag) ||
		!sampled_check(&command_attach, sampled, diag))
		return false;
	if (argc - optind != 1) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "attach: %s usage: dwell attach %s",
			argc == optind ? "which process?" : "one process at a time;", command_attach.arguments);
		return false;
	}
	return modes_read_pid(&command_attach, argv[optind], &options->attach, diag);
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
	struct recording_options options = {.on_begin = wanted_tell_now};
	struct sampled sampled = {.options = {.hz = SAMPLING_HZ}};
	char *excluded = NULL;
	int status = COMMAND_BY_DIAG;

	if (read_options(argc, argv, &options, &sampled, &excluded, diag))
		status = attach_to_process(&options, &sampled, argc, argv, diag);
	free(excluded);
	wanted_clear(&options);
	return status;
}

static const char *get_values(const char *option)
{
	return sampled_get_values(option);
}

const struct command command_attach = {"attach", "[-o FILE] [--for TIME] [[--trace] [--stream | --ring=SIZE | --linear=SIZE] [--memory=SIZE] [--on-full=WHAT] [--no-pack] [--only PATTERN] [--not PATTERN] [--exclude LIST] [--depth N] [--longer T | --count] [--keep-slowest N:FUNC] [--snapshot-when WHEN] [--snapshots N] | "
	"[--sample] [-F HZ] [--engine=NAME] [--fixed] [--stacks HOW | --no-stacks] [--until PP]] PID", "Records a process that runs already", help, run, get_values};
