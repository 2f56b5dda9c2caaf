/* dwell record: runs a program and writes what it did to a trace file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/agent.h"
#include "cli/closing.h"
#include "cli/command.h"
#include "cli/option_value.h"
#include "cli/sampled.h"
#include "cli/tracing.h"
#include "cmd/attach.h"
#include "core/slot.h"
#include "record/session/recording.h"
#include "remote/record_gdb.h"

static const char about[] =
	"-- ends the options, for a program whose name begins with a dash.\n"
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

struct options {
	struct tracing tracing;
	struct sampled sampled;
	struct record_gdb gdb;
};

#define THROTTLE_PERCENT 0.2

static const char *take_throttle(void *throttle, const char *text)
{
	char *end = "";
	double percent = text ? strtod(text, &end) : THROTTLE_PERCENT;

	*(double *)throttle = percent / 100;
	if ((!text || (*text >= '0' && *text <= '9') || *text == '.') && (!*end || !strcmp(end, "%")) && percent >= 0.001 &&
		percent <= 100)
		return NULL;
	return "a part of the time in percent, 0.001 to 100";
}

#define STARTS .family = "tracing"
static const struct option_row rows[] = {
	ROW_TRACE_FILE,
	{"--off", NULL, OPTION_FLAG, OPTION_AT(tracing.options.off),
		"records nothing until the program calls dwell_start(), or somebody says dwell attach", STARTS},
	{"--args", "[=N]", OPTION_COUNT_32, OPTION_AT(tracing.options.args),
		"what calls are given and return, too, for dwell calls --args: the first N (6) integer registers that the machine "
		"passes arguments in, and the one it returns in. Types are not known, and floating point is not in it. Only of "
		"programs that were compiled with what `dwell cflags` prints, as -finstrument-functions gives none; a call costs "
		"several times as much, and the file is several times as large",
		.low = 1, .high = DWELL_ARGS_MAX, .number = DWELL_ARGS_MAX, STARTS,
		.excludes = OPTION_EXCLUDES(
			{"--throttle", "one or the other; what a call costs is not measured where its values are recorded"})},
	{"--throttle", "[=PERCENT]", OPTION_OWN, OPTION_AT(tracing.options.throttle),
		"functions whose calls are shorter than four times what recording them costs, and recording which takes more than "
		"PERCENT (0.2) of the time, are recorded no more from when they are found. Their time is their callers' then, and "
		"report names them. With -finstrument-functions all their calls are counted; else their hooks are turned off. Not "
		"with --ring and --linear",
		.read = take_throttle, STARTS,
		.excludes = OPTION_EXCLUDES(
			{"--ring --snapshot-when", "--throttle is for --stream: of a ring nobody looks at what is recorded before the end"},
			{"--linear", "--throttle is for --stream: of --linear nobody looks at what is recorded before the end"},
			{"--attach", THROTTLE_NEEDS_START})},
	ROWS_TRACING,
	ROWS_SAMPLED,
	{"--for", "TIME", OPTION_DURATION, OPTION_AT(sampled.options.for_ns),
		"samples for so long: 5s, 500ms, 2min; the program goes on, and is waited for", .low = 1,
		.expected = "a time with its unit, as 5s, 500ms or 2min"},
	{"--attach", "PID", OPTION_OWN, OPTION_AT(tracing.options.attach),
		"a process that runs already, instead of a program: as dwell attach PID, with its options and its exit status",
		.read = option_take_pid, .in_operands = true,
		.excludes = OPTION_EXCLUDES(
			{"--off --args", "one is for a process that runs, the other for a program that is started"})},
	{"--gdb", "WHERE", OPTION_TEXT, OPTION_AT(gdb.where),
		"samples what is behind a GDB stub (HOST:PORT, a Unix socket's path, /dev/ttyACM0:115200), with --program FILE, "
		"the ELF file that runs there; -F (500), --fixed, --for and -o go with it. It is stopped for each sample, and runs "
		"for half a millisecond at least between two; how many samples came is said at the end, which is that of --for, or "
		"Ctrl-C",
		.in_operands = true, .needs = {"--program", "--gdb: which file runs there? --program FILE is missing"},
		.excludes = OPTION_EXCLUDES({"tracing --attach --until --stacks --no-stacks --engine",
			"--gdb goes with --program, -F, --fixed, --for and -o only"})},
	{"--program", "FILE", OPTION_FILE, OPTION_AT(gdb.program),
		"of --gdb: the ELF file that runs there", .in_operands = true, .needs = {"--gdb"}},
	{0}};

#define GDB_HZ 500
#define GDB_HZ_MAX 2000

/* What of the options can be done through a stub. */
static bool finish_gdb(struct options *options, bool has_more, struct diag *diag)
{
	struct record_gdb *gdb = &options->gdb;
	const struct sampled *sampled = &options->sampled;

	if (has_more)
		return option_refuse(&command_record, "--gdb: nothing is run here: no PROGRAM, but --program FILE", diag);
	if (sampled->has_rate && sampled->options.hz > GDB_HZ_MAX)
		return option_refuse(&command_record, "--gdb: -F: expected a number to 2000, as the target is to run in between", diag);
	gdb->output = options->tracing.options.output;
	gdb->hz = sampled->has_rate ? sampled->options.hz : GDB_HZ;
	gdb->fixed = sampled->options.fixed;
	gdb->for_ns = sampled->options.for_ns;
	return true;
}

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	struct recording_options *recording = &options->tracing.options;
	struct sampling_options *sampling = &options->sampled.options;
	struct option_line line;

	if (!option_read_line(&command_record, options, argc, argv, &line, diag) || !tracing_finish(&line, &options->tracing, diag))
		return false;
	sampled_finish(&line, &options->sampled);
	if (options->gdb.where)
		return finish_gdb(options, line.first < argc, diag);
	if (recording->attach)
		return line.first == argc ||
		       option_refuse(&command_record, "--attach is of a process that runs: no program is expected", diag);
	if (line.first == argc)
		return option_refuse_words(&command_record, "which program?", diag);
	recording->program = sampling->program = argv[line.first];
	recording->argv = sampling->argv = argv + line.first;
	sampling->output = recording->output;
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

/* Runs the program, and ends as it ends. */
static int record_program(struct tracing *tracing, struct sampled *sampled, int argc, char **argv, struct diag *diag)
{
	char reason[SAMPLED_REASON_BYTES], *agent = NULL, *line = NULL;
	const char *why = NULL;
	struct launch launch = {0};
	struct recorded recorded = {0};
	bool sample = sampled_choose_program(sampled, reason, &why), started = false;
	int status = COMMAND_BY_DIAG;

	if (!sample && sampled->options.for_ns)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
			"record: --for is for programs that are sampled; for the calls of one that has hooks: dwell attach --for, "
			"or --sample");
	else if (sample || (agent = make_agent_path(diag))) {
		tracing->options.agent = agent;
		tracing->options.recorded = sampled->options.recorded = &recorded;
		tracing->options.command_line = sampled->options.command_line = line = make_command_line(argc, argv);
		started = sample ? sampled_run(sampled, why, &launch, diag) : recording_run(&tracing->options, &launch, diag);
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
	return status;
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options = {.tracing.options = {.on_begin = tracing_print_now, .on_left = tell_left},
		.sampled.options = {.hz = SAMPLING_HZ}};
	int status = COMMAND_BY_DIAG;

	if (read_options(argc, argv, &options, diag)) {
		if (options.gdb.where) {
			char *line = make_command_line(argc, argv);

			options.gdb.command_line = line;
			record_gdb(&options.gdb, diag);
			free(line);
		} else if (options.tracing.options.attach) {
			status = attach_to_process(&options.tracing.options, &options.sampled, argc, argv, diag);
		} else {
			status = record_program(&options.tracing, &options.sampled, argc, argv, diag);
		}
	}
	tracing_clear(&options.tracing);
	return status;
}

const struct command command_record = {"record", "[--] PROGRAM [ARGUMENTS] | --attach PID | --gdb WHERE --program FILE",
	"Runs a program and records its calls, or samples it", rows, about, run, OPERANDS_PROGRAM};
