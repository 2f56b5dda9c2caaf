/* dwell record: runs a program and writes calls, or samples, to a trace file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/closing.h"
#include "cli/command.h"
#include "option/option_value.h"
#include "cli/sampled.h"
#include "cli/tracing.h"
#include "cmd/record/both.h"
#include "cmd/record/program.h"
#include "core/slot.h"
#include "record/session/recording.h"

static const char about[] =
	"-- ends the options, for a program whose name begins with a dash.\n"
	"\n"
	"dwell records each call of a program that was compiled with the flags that\n"
	"`dwell cflags` prints, or with -finstrument-functions; there is nothing to link\n"
	"and no source to change. If neither the program, nor its libraries, nor a\n"
	"program named in its arguments has hooks, dwell samples it, with all that it\n"
	"starts, and prints a line that says so; --trace records its calls all the same.\n"
	"\n"
	"The program's output, signals and exit status pass through: dwell record ends as\n"
	"the program ends. The trace is complete however the program dies. Read it with\n"
	"`dwell report FILE`.\n"
	"\n"
	"With --ring and --linear the file is there from the start and survives even if\n"
	"dwell is killed; recording needs almost no CPU time of dwell's. dwell records\n"
	"processes that the program leaves behind (daemons, shell jobs) until they end,\n"
	"or until Ctrl-C.\n"
	"\n"
	"Exit status: the program's. 2 if it could not be started, or if it ended with 0\n"
	"and dwell recorded no call although it should have. A sampled program that ends\n"
	"before its first sample is no error: dwell warns.\n";

struct options {
	struct tracing tracing;
	struct sampled sampled;
	bool both;
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

#define TRACING_FAMILY .family = "tracing"
static const struct option_row rows[] = {
	ROW_TRACE_FILE,
	{"--off", NULL, OPTION_FLAG, OPTION_AT(tracing.options.off),
		"start with recording off, until the program calls dwell_start() or somebody runs dwell attach", .rare = true, TRACING_FAMILY},
	{"--args", "[=N]", OPTION_COUNT_32, OPTION_AT(tracing.options.args),
		"record also what calls are given and return: the first N (6) integer argument registers and the return "
		"register. dwell calls --args shows them. Types are not known, floating point is not recorded. It needs what "
		"`dwell cflags` prints, or --trace; functions compiled with -finstrument-functions have no values. A call costs "
		"several times as much, and so does the file. Which functions: --only", .rare = true,
		.low = 1, .high = DWELL_ARGS_MAX, .number = DWELL_ARGS_MAX, TRACING_FAMILY,
		.excludes = OPTION_EXCLUDES(
			{"--throttle", "one or the other: dwell does not measure the cost of calls whose values it records"})},
	{"--throttle", "[=PERCENT]", OPTION_OWN, OPTION_AT(tracing.options.throttle),
		"stop recording short functions that cost too much: their calls are shorter than four times what recording them "
		"costs, and recording them takes more than PERCENT (0.2) of the time. Their time becomes their callers', and "
		"report lists them. With -finstrument-functions their calls are still counted; otherwise their hooks are turned "
		"off. Not with --ring or --linear", .rare = true,
		.read = take_throttle, TRACING_FAMILY,
		.excludes = OPTION_EXCLUDES(
			{"--ring --snapshot-when", "--throttle needs --stream: dwell reads a ring only at the end"},
			{"--linear", "--throttle needs --stream: dwell reads --linear data only at the end"})},
	ROWS_TRACING,
	ROWS_SAMPLED,
	{"--both", NULL, OPTION_FLAG, OPTION_AT(both),
		"run the program twice, first to record its calls, then to sample it, and show both as dwell report --times-from does: "
		"exact numbers of calls, and times that recording has not disturbed. The samples are in PROGRAM.samples.dwell",
		.excludes = OPTION_EXCLUDES({"--sample --no-stacks --for --off --ring --linear --snapshot-when --keep-slowest --longer",
			"--both records all calls of a whole run, and samples another run"})},
	{"--for", "TIME", OPTION_DURATION, OPTION_AT(sampled.options.for_ns),
		"sample for TIME (5s, 500ms, 2min); the program goes on, and dwell waits for its end", .rare = true, .low = 1,
		.expected = "a time with its unit, as 5s, 500ms or 2min"},
	{0}};

/* Whether the word after --args or --trace is no program, while the next word is a program: the user probably meant a function.
 * True: a diag explains --only. words: the words after the options. option: the word before them. */
static bool is_misplaced_function(int count, char **words, const char *option, struct diag *diag)
{
	struct diag *ignored;
	char *path, *next;

	if (count < 2 || (strcmp(option, "--args") && strcmp(option, "--trace")) || strchr(words[0], '/'))
		return false;
	ignored = make_diag();
	path = make_program_path(words[0], ignored);
	next = path ? NULL : make_program_path(words[1], ignored);
	if (next)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
			"record: %s takes no function, and there is no program '%s' in PATH; --only chooses functions: dwell record %s --only "
			"'%s' %s",
			option, words[0], option, words[0], words[1]);
	free_diag(ignored);
	free(path);
	free(next);
	return next;
}

/* Whether the word is an option of dwell that hardly any recorded program has. Common names (--trace, --args) may be the
 * program's. */
static bool is_dwell_option(const char *word, const char *next)
{
	static const char *const ours[] = {"--snapshot-when", "--snapshots", "--keep-slowest", "--no-stacks", "--sample", "--only", "--not",
		"--throttle", "--longer", "--on-full"};
	size_t bytes = strcspn(word, "="), letters = next ? strlen(next) : 0;

	if (!strcmp(word, "-o"))
		return letters > 6 && !strcmp(next + letters - 6, ".dwell");
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		if (strlen(ours[i]) == bytes && !strncmp(ours[i], word, bytes))
			return true;
	return false;
}

/* Notes an option of dwell among the program's arguments. Not after "--", and not if the program is dwell
 * itself, which has these options. */
static void note_misplaced(char **argv, struct diag *diag)
{
	const char *slash = strrchr(argv[0], '/');

	if (!strcmp(slash ? slash + 1 : argv[0], "dwell"))
		return;
	for (size_t i = 1; argv[i] && strcmp(argv[i], "--"); i++) {
		if (!is_dwell_option(argv[i], argv[i + 1]))
			continue;
		diag_add(diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET, "record: '%s' went to the program; options of dwell come first: dwell record [OPTIONS] %s",
			argv[i], argv[0]);
		return;
	}
}

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	struct recording_options *recording = &options->tracing.options;
	struct sampling_options *sampling = &options->sampled.options;
	struct option_line line;

	if (!option_read_line(&command_record, options, argc, argv, &line, diag) || !tracing_finish(&line, &options->tracing, diag))
		return false;
	sampled_finish(&line, &options->sampled);
	if (line.first == argc)
		return option_refuse_words(&command_record, "which program?", diag);
	if (is_misplaced_function(argc - line.first, argv + line.first, argv[line.first - 1], diag))
		return false;
	note_misplaced(argv + line.first, diag);
	recording->program = sampling->program = argv[line.first];
	recording->argv = sampling->argv = argv + line.first;
	recording->plans = options->sampled.traces;
	sampling->output = recording->output;
	return true;
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options = {.sampled.options = {.hz = SAMPLING_HZ}};
	struct recorded recorded = {0};
	int status = COMMAND_BY_DIAG;

	options.tracing.options.on_begin = tracing_print_messages;
	if (read_options(argc, argv, &options, diag)) {
		struct record_program program = {&options.tracing, &options.sampled, argc, argv, &recorded, false};

		status = options.both ? record_both(&program, diag) : record_program(&program, diag);
		if (!options.both)
			closing_add_line(&recorded, program.was_sampled, diag);
	}
	tracing_clear(&options.tracing);
	return status;
}

const struct command command_record = {"record", "[--] PROGRAM [ARGUMENTS]", "Runs a program and records its calls, or samples it", rows, about, run, OPERANDS_PROGRAM,
	.task = TASK_RECORD,
	.examples = "  dwell record ./app ARGUMENTS  record each call, or sample if app has no hooks\n"
		    "  dwell record --trace ./app    record each call of a program as it is\n"};
