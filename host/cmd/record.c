/* dwell record: runs a program and writes what it did to a trace file. */
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
#include "cmd/attach.h"
#include "core/slot.h"
#include "record/session/recording.h"
#include "remote/record_gdb.h"

static const char help[] =
	"  -o FILE        the trace file; without it PROGRAM.dwell in this folder, and an\n"
	"                 earlier one is kept as PROGRAM.dwell.old\n"
	"  --off          records nothing until the program calls dwell_start(), or\n"
	"                 somebody says dwell attach\n"
	"  --args[=N]     what calls are given and return, too, for dwell calls --args:\n"
	"                 the first N (6) integer registers that the machine passes\n"
	"                 arguments in, and the one it returns in. Types are not known,\n"
	"                 and floating point is not in it. Only of programs that were\n"
	"                 compiled with what `dwell cflags` prints, as\n"
	"                 -finstrument-functions gives none; a call costs several times\n"
	"                 as much, and the file is several times as large\n"
	WANTED_HELP
	"  --throttle[=PERCENT]\n"
	"                 functions whose calls are shorter than four times what\n"
	"                 recording them costs, and recording which takes more than\n"
	"                 PERCENT (0.2) of the time, are recorded no more from when they\n"
	"                 are found. Their time is their callers' then, and report names\n"
	"                 them. With -finstrument-functions all their calls are counted;\n"
	"                 else their hooks are turned off. Not with --ring and --linear\n"
	"  --no-pack      stores events as they were recorded, in 16 bytes a call; else\n"
	"                 they are packed into one or two\n"
	"  --stream       everything goes to disk, as it happens: the default\n"
	"  --ring=SIZE    keeps the last of each thread, up to SIZE (512K, 16M); 8 bytes\n"
	"                 are an event\n"
	"  --linear=SIZE  keeps the first of each thread\n"
	"  --memory=SIZE  for all threads together. --stream: memory (a quarter of the\n"
	"                 machine's, at most 1G). --ring, --linear: size of the file\n"
	"                 (256M; up to 1G for 16 threads); when it is full, the ring of\n"
	"                 the thread that ended first is taken\n"
	MODES_ON_FULL_HELP("30s")
	SAMPLED_HELP
	"  --for TIME     samples for so long: 5s, 500ms, 2min; the program goes on, and\n"
	"                 is waited for\n"
	"  --attach PID   a process that runs already, instead of a program: as dwell\n"
	"                 attach PID, with its options and its exit status\n"
	"  --gdb WHERE    samples what is behind a GDB stub (HOST:PORT, a Unix socket's\n"
	"                 path, /dev/ttyACM0:115200), with --program FILE, the ELF file\n"
	"                 that runs there; -F (500), --fixed, --for and -o go with it. It\n"
	"                 is stopped for each sample, and runs for half a millisecond at\n"
	"                 least between two; how many samples came is said at the end,\n"
	"                 which is that of --for, or Ctrl-C\n"
	"  --             ends the options, for a program whose name begins with a dash\n"
	"\n"
	"Each call is recorded of a program that was compiled with what `dwell cflags`\n"
	"prints, or -finstrument-functions; nothing has to be linked or changed in its\n"
	"source. One in which no hooks are found, nor in its libraries, nor in a program\n"
	"that its arguments name, is sampled, and all that it starts; a line says so. It\n"
	"prints what it prints, gets the signals that dwell gets, and dwell record ends\n"
	"as it ends: with its exit status, or by the signal that killed it. The file is\n"
	"whole whatever the program dies of; `dwell report FILE` reads it.\n"
	"\n"
	"With --ring and --linear the file is there from the start and survives the end\n"
	"of dwell, too, by SIGKILL or whatever; record has next to nothing to do\n"
	"meanwhile. Processes that the program leaves behind (daemons, shell jobs) are\n"
	"recorded to their end; Ctrl-C ends it before that.\n"
	"\n"
	"Exit status: the program's. 2 when it could not be started, or ended with 0 and\n"
	"no call was recorded that was to be. A program that is sampled and over before\n"
	"its first sample is no error: a warning says so, and the status is the\n"
	"program's.\n";

static bool read_args(const char *text, struct recording_options *options, struct diag *diag)
{
	bool good = !text || (text[0] >= '1' && text[0] <= '0' + (char)DWELL_ARGS_MAX && !text[1]);

	options->args = !text ? DWELL_ARGS_MAX : (uint32_t)(text[0] - '0');
	if (!good)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "record: --args '%s': expected a number from 1 to %u", text, DWELL_ARGS_MAX);
	return good;
}

/* A number stands behind an option whose value goes behind an equals sign: it would be taken for the program. */
static bool is_apart(const char *option, const char *value, const char *next, struct diag *diag)
{
	if (value || !next || !*next || next[strspn(next, "0123456789.%")])
		return false;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "record: %s %s: a value goes behind an equals sign, %s=%s; a program of that name is ./%s",
		option, next, option, next, next);
	return true;
}

#define THROTTLE_PERCENT 0.2

static bool read_throttle(const char *text, struct recording_options *options, struct diag *diag)
{
	char *end = "";
	double percent = text ? strtod(text, &end) : THROTTLE_PERCENT;
	bool good = (!text || (*text >= '0' && *text <= '9') || *text == '.') && (!*end || !strcmp(end, "%")) && percent >= 0.001 && percent <= 100;

	options->throttle = good ? percent / 100 : 0;
	if (!good)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "record: --throttle '%s': expected a part of the time in percent, 0.001 to 100", text);
	return good;
}

static bool check_throttle(const struct recording_options *options, struct diag *diag)
{
	if (!(options->throttle > 0) || options->mode == DWELL_MODE_STREAM)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
		"record: --throttle is for --stream: of %s nobody looks at what is recorded before the end",
		options->mode == DWELL_MODE_RING ? "a ring" : "--linear");
	return false;
}

#define GDB_HZ 500
#define GDB_HZ_MAX 2000

/* of_start: null, or an option that is for programs that are started. */
static bool check_attached(const char *of_start, bool alone, struct diag *diag)
{
	if (!alone || of_start)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "record: --attach is of a process that runs: %s%s", alone ? of_start : "no program is expected",
			alone ? " is for a program that is started" : "");
	return alone && !of_start;
}

/* What of the options can be done through a stub. */
static bool check_gdb(
	struct record_gdb *gdb, const struct recording_options *options, const struct sampled *sampled, bool has_more, struct diag *diag)
{
	const char *wrong = NULL;

	if (!gdb->where || !gdb->program)
		wrong = gdb->where ? "--gdb: which file runs there? --program FILE is missing" : "--program goes with --gdb";
	else if (has_more)
		wrong = "--gdb: nothing is run here: no PROGRAM, but --program FILE";
	else if (options->attach || sampled->trace || sampled->until > 0 || sampled->options.leaf || sampled->options.pointers ||
		sampled->options.engine)
		wrong = "--gdb goes with --program, -F, --fixed, --for and -o only";
	else if (sampled->has_rate && sampled->options.hz > GDB_HZ_MAX)
		wrong = "--gdb: -F: expected a number to 2000, as the target is to run in between";
	if (wrong)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "record: %s", wrong);
	gdb->output = options->output;
	gdb->hz = sampled->has_rate ? sampled->options.hz : GDB_HZ;
	gdb->fixed = sampled->options.fixed;
	gdb->for_ns = sampled->options.for_ns;
	return !wrong;
}

static bool read_options(
	int argc, char **argv, struct recording_options *options, struct sampled *sampled, char **excluded,
	struct record_gdb *gdb, struct diag *diag)
{
	enum { STREAM = 1000, RING, LINEAR, MEMORY, OFF, NO_PACK, ON_FULL, ARGS, GDB, PROGRAM, ATTACH, THROTTLE };
	static const struct option known[] = {{"output", required_argument, NULL, 'o'}, {"stream", no_argument, NULL, STREAM},
		{"ring", required_argument, NULL, RING}, {"linear", required_argument, NULL, LINEAR},
		{"memory", required_argument, NULL, MEMORY}, {"off", no_argument, NULL, OFF},
		{"no-pack", no_argument, NULL, NO_PACK}, {"on-full", required_argument, NULL, ON_FULL}, {"args", optional_argument, NULL, ARGS}, WANTED_ROWS,
		{"attach", required_argument, NULL, ATTACH}, {"throttle", optional_argument, NULL, THROTTLE},
		{"gdb", required_argument, NULL, GDB}, {"program", required_argument, NULL, PROGRAM}, SAMPLED_ROWS,
		{"help", no_argument, NULL, 'h'}, {0}};
	const char *of_start = NULL; /* an option that has to be known when a program starts */
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
		if (wanted_is(option)) {
			if (!wanted_take(&command_record, option, optarg, options, excluded, &sampled->trace, diag))
				return false;
			continue;
		}
		switch (option) {
		case 'o':
			options->output = optarg;
			break;
		case OFF:
			sampled->trace = of_start = "--off";
			options->off = true;
			break;
		case ARGS:
			sampled->trace = of_start = "--args";
			if (is_apart("--args", optarg, argv[optind], diag) || !read_args(optarg, options, diag))
				return false;
			break;
		case THROTTLE:
			sampled->trace = of_start = "--throttle";
			if (is_apart("--throttle", optarg, argv[optind], diag) || !read_throttle(optarg, options, diag))
				return false;
			break;
		case NO_PACK:
			sampled->trace = "--no-pack";
			options->no_pack = true;
			break;
		case ON_FULL:
			sampled->trace = "--on-full";
			if (!modes_read_on_full(&command_record, optarg, options, diag))
				return false;
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
		case ATTACH:
			if (!modes_read_pid(&command_record, optarg, &options->attach, diag))
				return false;
			break;
		case GDB:
			gdb->where = optarg;
			break;
		case PROGRAM:
			gdb->program = optarg;
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
	if (!wanted_check(&command_record, options, stream, diag) || !modes_check(&command_record, options, stream, diag) ||
		!check_throttle(options, diag) || !sampled_check(&command_record, sampled, diag))
		return false;
	if (options->attach && options->throttle > 0) {
		wanted_refuse_throttle(&command_record, diag);
		return false;
	}
	if (options->attach && !gdb->where && !gdb->program)
		return check_attached(of_start, optind == argc, diag);
	if (gdb->where || gdb->program)
		return check_gdb(gdb, options, sampled, optind < argc, diag);
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
	struct recording_options options = {.on_begin = wanted_tell_now, .on_left = tell_left};
	struct sampled sampled = {.options = {.hz = SAMPLING_HZ}};
	char reason[SAMPLED_REASON_BYTES];
	const char *why = NULL;
	struct record_gdb gdb = {0};
	struct launch launch = {0};
	struct recorded recorded = {0};
	char *agent = NULL, *line = NULL, *excluded = NULL;
	int status = COMMAND_BY_DIAG;
	bool sample, started = false;

	if (!read_options(argc, argv, &options, &sampled, &excluded, &gdb, diag)) {
		free(excluded);
		wanted_clear(&options);
		return COMMAND_BY_DIAG;
	}
	if (gdb.where) {
		gdb.command_line = line = make_command_line(argc, argv);
		record_gdb(&gdb, diag);
		free(line);
		free(excluded);
		wanted_clear(&options);
		return COMMAND_BY_DIAG;
	}
	if (options.attach) {
		status = attach_to_process(&options, &sampled, argc, argv, diag);
		free(excluded);
		wanted_clear(&options);
		return status;
	}
	sample = sampled_choose_program(&sampled, reason, &why);
	if (!sample && sampled.options.for_ns)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
			"record: --for is for programs that are sampled; for the calls of one that has hooks: dwell attach --for, or --sample");
	else if (sample || (agent = make_agent_path(diag))) {
		options.agent = agent;
		options.recorded = sampled.options.recorded = &recorded;
		options.command_line = sampled.options.command_line = line = make_command_line(argc, argv);
		started = sample ? sampled_run(&sampled, why, &launch, diag) : recording_run(&options, &launch, diag);
		closing_tell(&recorded, sample, diag);
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
	free(excluded);
	wanted_clear(&options);
	return status;
}

static const char *get_values(const char *option)
{
	return sampled_get_values(option);
}

const struct command command_record = {"record", "[-o FILE] [[--trace] [--stream | --ring=SIZE | --linear=SIZE] [--memory=SIZE] [--on-full=WHAT] [--no-pack] [--args[=N]] [--only PATTERN] [--not PATTERN] [--exclude LIST] [--depth N] [--longer T | --count] [--throttle[=PERCENT]] [--keep-slowest N:FUNC] [--snapshot-when WHEN] [--snapshots N] [--off] | [--sample] "
	"[-F HZ] [--engine=NAME] [--fixed] [--stacks HOW | --no-stacks] [--for TIME] [--until PP]] [--attach PID | [--] PROGRAM [ARGUMENTS]] | --gdb WHERE --program FILE [-F HZ] [--fixed] [--for TIME] [-o FILE]",
	"Runs a program and records its calls, or samples it", help, run, get_values};
