/* dwell record: runs a program and writes what it did to a trace file. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/agent.h"
#include "cmd/command.h"
#include "cmd/modes.h"
#include "cmd/option.h"
#include "cmd/sampled.h"
#include "core/slot.h"
#include "record/recording.h"

static const char help[] =
	"  -o FILE        the trace file; without it PROGRAM.dwell in this folder, and an earlier one is kept as PROGRAM.dwell.old\n"
	"  --off          records nothing until the program calls dwell_start(), or somebody says dwell attach\n"
	"  --args[=N]     what calls are given and return, too, for dwell calls --args: the first N (6) integer registers that the machine passes\n"
	"                 arguments in, and the one it returns in. Types are not known, and floating point is not in it. Only of programs that\n"
	"                 were compiled with what `dwell cflags` prints, as -finstrument-functions gives none; a call costs several times as\n"
	"                 much, and the file is several times as large\n"
	"  --no-pack      stores events as they were recorded, in 16 bytes a call; else they are packed into one or two\n"
	"  --stream       everything goes to disk, as it happens: the default\n"
	"  --ring=SIZE    keeps the last of each thread, up to SIZE (512K, 16M); 8 bytes are an event\n"
	"  --linear=SIZE  keeps the first of each thread\n"
	"  --memory=SIZE  for all threads together. --stream: memory (a quarter of the machine's, at most 1G). --ring, --linear: size of the\n"
	"                 file (256M; up to 1G for 16 threads); when it is full, the ring of the thread that ended first is taken\n"
	SAMPLED_HELP
	"  --for TIME     samples for so long: 5s, 500ms, 2min; the program goes on, and is waited for\n"
	"  --             ends the options, for a program whose name begins with a dash\n"
	"\n"
	"Each call is recorded of a program that was compiled with what `dwell cflags` prints, or -finstrument-functions; nothing has to be\n"
	"linked or changed in its source. One in which no hooks are found, nor in its libraries, nor in a program that its arguments name, is\n"
	"sampled, and all that it starts; a line says so. It prints what it prints, gets the signals that dwell gets, and dwell record ends as it ends: with its exit status, or by\n"
	"the signal that killed it. The file is whole whatever the program dies of; `dwell report FILE` reads it.\n"
	"\n"
	"With --ring and --linear the file is there from the start and survives the end of dwell, too, by SIGKILL or whatever; record has next\n"
	"to nothing to do meanwhile. Processes that the program leaves behind (daemons, shell jobs) are recorded to their end; Ctrl-C ends it\n"
	"before that.\n"
	"\n"
	"Exit status: the program's. 2 when it could not be started, or ended with 0 and no call was recorded that was to be.\n"
	"A program that is sampled and over before its first sample is no error: a warning says so, and the status is the program's.\n";

static bool read_args(const char *text, struct recording_options *options, struct diag *diag)
{
	bool good = !text || (text[0] >= '1' && text[0] <= '0' + (char)DWELL_ARGS_MAX && !text[1]);

	options->args = !text ? DWELL_ARGS_MAX : (uint32_t)(text[0] - '0');
	if (!good)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "record: --args '%s': expected a number from 1 to %u", text, DWELL_ARGS_MAX);
	return good;
}

static bool read_options(
	int argc, char **argv, struct recording_options *options, struct sampled *sampled, struct diag *diag)
{
	enum { STREAM = 1000, RING, LINEAR, MEMORY, OFF, NO_PACK, ARGS };
	static const struct option known[] = {{"output", required_argument, NULL, 'o'}, {"stream", no_argument, NULL, STREAM},
		{"ring", required_argument, NULL, RING}, {"linear", required_argument, NULL, LINEAR},
		{"memory", required_argument, NULL, MEMORY}, {"off", no_argument, NULL, OFF},
		{"no-pack", no_argument, NULL, NO_PACK}, {"args", optional_argument, NULL, ARGS}, SAMPLED_ROWS,
		{"help", no_argument, NULL, 'h'}, {0}};
	bool stream = false;
	int option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, "+:ho:F:", known, NULL)) != -1) {
		if (sampled_is(option)) {
			if (!sampled_take(&command_record, sampled, option, optarg, diag))
				return false;
			continue;
		}
		switch (option) {
		case 'o':
			options->output = optarg;
			break;
		case OFF:
			sampled->trace = "--off";
			options->off = true;
			break;
		case ARGS:
			sampled->trace = "--args";
			if (!read_args(optarg, options, diag))
				return false;
			break;
		case NO_PACK:
			sampled->trace = "--no-pack";
			options->no_pack = true;
			break;
		case STREAM:
			sampled->trace = "--stream";
			stream = true;
			break;
		case RING:
			sampled->trace = "--ring";
			if (!modes_read_ring(&command_record, "ring", optarg, DWELL_MODE_RING, options, diag))
				return false;
			break;
		case LINEAR:
			sampled->trace = "--linear";
			if (!modes_read_ring(&command_record, "linear", optarg, DWELL_MODE_LINEAR, options, diag))
				return false;
			break;
		case MEMORY:
			sampled->trace = "--memory";
			if (!modes_read_memory(&command_record, optarg, options, diag))
				return false;
			break;
		default:
			return option_refuse(&command_record, option, argv, diag);
		}
	}
	if (!modes_check(&command_record, options, stream, diag) || !sampled_check(&command_record, sampled, diag))
		return false;
	if (optind == argc) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "record: which program? usage: dwell record %s", command_record.arguments);
		return false;
	}
	options->program = argv[optind];
	options->argv = argv + optind;
	sampled->options.program = options->program;
	sampled->options.argv = options->argv;
	sampled->options.output = options->output;
	return true;
}

/* Now, not at the end: the terminal does not come back, and this is why. */
static void tell_left(uint64_t processes)
{
	fprintf(stderr,
		"dwell: the program has ended and left %llu process%s behind, still recorded; Ctrl-C ends the recording, not the process%s\n",
		(unsigned long long)processes, processes == 1 ? "" : "es", processes == 1 ? "" : "es");
	fflush(stderr);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct recording_options options = {.on_left = tell_left};
	struct sampled sampled = {.options = {.hz = SAMPLING_HZ}};
	char reason[SAMPLED_REASON_BYTES];
	const char *why = NULL;
	struct launch launch = {0};
	char *agent = NULL, *line = NULL;
	int status = COMMAND_BY_DIAG;
	bool sample, started = false;

	if (!read_options(argc, argv, &options, &sampled, diag))
		return COMMAND_BY_DIAG;
	sample = sampled_choose_program(&sampled, reason, &why);
	if (!sample && sampled.options.for_ns)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
			"record: --for is for programs that are sampled; for the calls of one that has hooks: dwell attach --for, or --sample");
	else if (sample || (agent = make_agent_path(diag))) {
		options.agent = agent;
		options.command_line = sampled.options.command_line = line = make_command_line(argc, argv);
		started = sample ? sampled_run(&sampled, why, &launch, diag) : recording_run(&options, &launch, diag);
	}
	if (started) {
		status = launch_status(&launch);
		if (status >= LAUNCH_KILLED)
			status = COMMAND_KILLED + status - LAUNCH_KILLED;
		if (status == 0 && diag_has_error(diag))
			status = COMMAND_BY_DIAG;
	}
	free(agent);
	free(line);
	return status;
}

const struct command command_record = {"record", "[-o FILE] [[--trace] [--stream | --ring=SIZE | --linear=SIZE] [--memory=SIZE] [--no-pack] [--args[=N]] [--off] | [--sample] "
	"[-F HZ] [--engine=NAME] [--fixed] [--stacks HOW | --no-stacks] [--for TIME] [--until PP]] [--] PROGRAM [ARGUMENTS]",
	"Runs a program and records its calls, or samples it", help, run};
