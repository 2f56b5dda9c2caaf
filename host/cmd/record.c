/* dwell record: runs a program and writes what it did to a trace file. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/agent.h"
#include "cmd/command.h"
#include "cmd/option.h"
#include "record/recording.h"
#include "util/units.h"

static const char help[] =
	"  -o FILE        the trace file; without it PROGRAM.dwell in this folder, and an earlier one is kept as PROGRAM.dwell.old\n"
	"  --off          records nothing until the program calls dwell_start(), or somebody says dwell attach\n"
	"  --no-pack      stores events as they were recorded, in 16 bytes a call; else they are packed into one or two\n"
	"  --stream       everything goes to disk, as it happens: the default\n"
	"  --ring=SIZE    keeps the last of each thread, up to SIZE (512K, 16M); 8 bytes are an event\n"
	"  --linear=SIZE  keeps the first of each thread\n"
	"  --memory=SIZE  for all threads together. --stream: memory (a quarter of the machine's, at most 1G). --ring, --linear: size of the\n"
	"                 file (256M, at least 16 threads); when there is no room, the ring of the thread that ended first is taken\n"
	"  --             ends the options, for a program whose name begins with a dash\n"
	"\n"
	"The program must have been compiled with what `dwell cflags` prints, or -finstrument-functions; nothing has to be linked or changed in\n"
	"its source. It prints what it prints, gets the signals that dwell gets, and dwell record ends as it ends: with its exit status, or by\n"
	"the signal that killed it. The file is whole whatever the program dies of; `dwell report FILE` reads it.\n"
	"\n"
	"With --ring and --linear the file is there from the start and survives the end of dwell, too, by SIGKILL or whatever; record has next\n"
	"to nothing to do meanwhile. Processes that the program leaves behind (daemons, shell jobs) are recorded to their end; Ctrl-C ends it\n"
	"before that.\n"
	"\n"
	"Exit status: the program's. 2 when it could not be started, or ended with 0 and nothing was recorded.\n";

/* Blocks of 4096 bytes: two at least. Masks of 32 bits: not more. */
#define RING_BYTES_MIN (UINT64_C(8) << 10)
#define RING_BYTES_MAX (UINT64_C(1) << 30)

static bool read_size(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *bytes, struct diag *diag)
{
	if (units_parse_bytes(text, bytes) && *bytes >= least && *bytes <= most)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "record: --%s='%s': expected a size from %lluK to %lluM, such as 512K or 16M", option,
		text, (unsigned long long)(least >> 10), (unsigned long long)(most >> 20));
	return false;
}

static bool read_mode(const char *option, const char *text, enum dwell_mode mode, struct recording_options *options, struct diag *diag)
{
	uint64_t wanted;

	options->mode = mode;
	if (!read_size(option, text, RING_BYTES_MIN, RING_BYTES_MAX, &wanted, diag))
		return false;
	for (options->ring_bytes = RING_BYTES_MIN; options->ring_bytes < wanted; options->ring_bytes *= 2)
		;
	return true;
}

static bool check_options(const struct recording_options *options, struct diag *diag)
{
	/* As for tar and gzip, - would be standard output, which is the program's. */
	if (options->output && (!*options->output || !strcmp(options->output, "-"))) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "record: -o '%s': expected the name of a file", options->output);
		return false;
	}
	if (options->mode != DWELL_MODE_STREAM && options->memory_bytes && options->memory_bytes < options->ring_bytes + 4096) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
			"record: --memory has no room for a thread: one takes %llu KiB, the size that was asked for and 4 KiB",
			(unsigned long long)(options->ring_bytes + 4096) >> 10);
		return false;
	}
	return true;
}

static bool read_options(int argc, char **argv, struct recording_options *options, struct diag *diag)
{
	enum { STREAM = 1000, RING, LINEAR, MEMORY, OFF, NO_PACK };
	static const struct option known[] = {{"output", required_argument, NULL, 'o'}, {"stream", no_argument, NULL, STREAM},
		{"ring", required_argument, NULL, RING}, {"linear", required_argument, NULL, LINEAR},
		{"memory", required_argument, NULL, MEMORY}, {"off", no_argument, NULL, OFF},
		{"no-pack", no_argument, NULL, NO_PACK}, {0}};
	int option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, "+:o:", known, NULL)) != -1) {
		switch (option) {
		case 'o':
			options->output = optarg;
			break;
		case OFF:
			options->off = true;
			break;
		case NO_PACK:
			options->no_pack = true;
			break;
		case STREAM:
			options->mode = DWELL_MODE_STREAM;
			break;
		case RING:
			if (!read_mode("ring", optarg, DWELL_MODE_RING, options, diag))
				return false;
			break;
		case LINEAR:
			if (!read_mode("linear", optarg, DWELL_MODE_LINEAR, options, diag))
				return false;
			break;
		case MEMORY:
			if (!read_size("memory", optarg, UINT64_C(12) << 10, UINT64_C(1) << 40, &options->memory_bytes, diag))
				return false;
			break;
		default:
			return option_refuse(&command_record, option, argv, diag);
		}
	}
	if (!check_options(options, diag))
		return false;
	if (optind == argc) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "record: which program? usage: dwell record %s", command_record.arguments);
		return false;
	}
	options->program = argv[optind];
	options->argv = argv + optind;
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
	struct launch launch = {0};
	char *agent = NULL, *line = NULL;
	int status = COMMAND_BY_DIAG;

	if (read_options(argc, argv, &options, diag) && (agent = make_agent_path(diag))) {
		options.agent = agent;
		options.command_line = line = make_command_line(argc, argv);
		if (recording_run(&options, &launch, diag)) {
			status = launch_status(&launch);
			if (status >= LAUNCH_KILLED)
				status = COMMAND_KILLED + status - LAUNCH_KILLED;
			if (status == 0 && diag_has_error(diag))
				status = COMMAND_BY_DIAG;
		}
	}
	free(agent);
	free(line);
	return status;
}

const struct command command_record = {"record", "[-o FILE] [--ring=SIZE] [--linear=SIZE] [--memory=SIZE] [--off] [--] PROGRAM [ARGUMENTS]",
	"Runs a program and records its calls", help, run};
