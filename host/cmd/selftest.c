/* dwell selftest: whether sampling can be trusted here, by programs whose truth is known. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/shared_options.h"
#include "cmd/selftest/print.h"
#include "cmd/selftest/trial.h"
#include "sample/perf/perf_set.h"
#include "sample/sampling.h"
#include "trial/workload.h"

static const char about[] =
	"Samples programs that know how long each of their functions took, as dwell\n"
	"record --sample does, and compares: whether the intervals hold the truth as\n"
	"often as they say, how many samples came of those that were asked for, and how\n"
	"far off a program is whose period is the sampling's own, with samples at random\n"
	"distances and at even ones, or one of the two distances that the random ones are\n"
	"made of. It takes some 17 s.\n"
	"\n"
	"Exit status: 0 when sampling can be trusted, 1 when not, or when that cannot be\n"
	"told, 2 when it cannot be tried.\n";

#define SECONDS_MIN 0.1 /* of a workload */
#define SHORT_OF 0.25   /* of --seconds */
#define PERIOD_NS 1e6
#define DEEP_FRAMES 2000u
#define STORM_THREADS 200u
#define STORM_NS 5e6

struct options {
	const char *workload, *truth, *only;
	double hz, seconds;
	uint64_t runs, period_ns;
	enum writer_form form;
};

#define OF_TRIALS .family = "trials"
static const struct option_row rows[] = {
	{"-F", "HZ", OPTION_NUMBER, OPTION_AT(hz),
		"samples a second of CPU time, 1 to 20000 (997)", .low = SAMPLING_HZ_MIN, .high = SAMPLING_HZ_MAX,
		OF_TRIALS},
	{"--runs", "N", OPTION_COUNT, OPTION_AT(runs),
		"short runs of the program of known shares, 1 to 1000 (20); the more, the more is known of the intervals. A "
		"verdict takes 9 or more: 50 intervals",
		.low = 1, .high = 1000, OF_TRIALS},
	{"--seconds", "S", OPTION_NUMBER, OPTION_AT(seconds),
		"how long a run is (short ones a quarter of it, and 0.1 at least), 0.1 to 60 (2)", .low = SECONDS_MIN, .high = 60},
	{"--only", "NAME", OPTION_CHOICE, OPTION_AT(only),
		"one of the two programs: shares or periodic", .choices = "shares or periodic", OF_TRIALS},
	ROWS_FORM("workload,period_us,jittered,run,function,true_percent,self_percent,self_low,self_high: each function in each run", OF_TRIALS),
	{"--workload", "NAME", OPTION_CHOICE, OPTION_AT(workload),
		"runs one program only and prints its truth, for sampling it with whatever one likes: shares (five functions of "
		"0.1, 1, 5, 20 and 74 %), periodic (phase_tenth has a tenth of each period), deep (2000 frames), storm (200 "
		"threads that live 5 ms each). A line is a function and its nanoseconds, the last one the CPU time of all",
		.choices = "shares, periodic, deep or storm",
		.excludes = OPTION_EXCLUDES({"trials", "one program is run, and nothing is sampled"})},
	{"--period", "T", OPTION_DURATION, OPTION_AT(period_ns),
		"of periodic; 1ms. A sampler that is in step with it sees one of its two functions and never the other",
		.low = 10000, .high = 1e9,
		.expected = "a time from 10us to 1s"},
	{"--truth", "FILE", OPTION_FILE, OPTION_AT(truth), "where that is written to, instead of standard output",
		.needs = {"--workload", "it is the truth of that one"}},
	{0}};

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	const char *workload;
	struct option_line line;

	if (!option_read_line(&command_selftest, options, argc, argv, &line, diag))
		return false;
	workload = options->workload ? options->workload : "";
	if (line.first < argc)
		return option_refuse_words(&command_selftest, "nothing is expected behind the options;", diag);
	if (options->period_ns && strcmp(workload, "periodic"))
		return option_refuse(&command_selftest, "--period: expected with --workload periodic, of which it is", diag);
	if (option_given(&line, "--seconds") && !strcmp(workload, "storm"))
		return option_refuse(&command_selftest, "--seconds: expected with another workload: the storm ends with its last thread", diag);
	return true;
}

static void run_workload(const struct options *options, struct diag *diag)
{
	struct truth truth = {0};
	FILE *out = options->truth ? fopen(options->truth, "w") : stdout;

	if (!out) {
		diag_add(diag, DIAG_ERROR, options->truth, DIAG_NO_OFFSET, "cannot be written");
		return;
	}
	if (!strcmp(options->workload, "shares"))
		workload_shares(options->seconds, &truth);
	else if (!strcmp(options->workload, "periodic"))
		workload_periodic(options->seconds, options->period_ns ? (double)options->period_ns : PERIOD_NS, &truth);
	else if (!strcmp(options->workload, "deep"))
		workload_deep(options->seconds, DEEP_FRAMES, &truth);
	else if (!workload_storm(STORM_THREADS, STORM_NS, &truth))
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "selftest: a thread could not be started");
	truth_write(&truth, out);
	if (out != stdout && fclose(out))
		diag_add(diag, DIAG_ERROR, options->truth, DIAG_NO_OFFSET, "cannot be written");
}

struct selftest {
	const struct options *options;
	struct selftest_print print;
	const char *folder;
	struct diag *diag;
};

static bool try(struct selftest *test, struct trial trial, uint32_t run)
{
	struct trial_result result;

	trial.hz = test->options->hz;
	if (!trial_run(&trial, test->folder, &result, test->diag)) {
		test->print.stopped = result.stopped;
		return false;
	}
	selftest_print_trial(&test->print, &trial, &result, run);
	return true;
}

static bool try_shares(struct selftest *test)
{
	double seconds = test->options->seconds;

	for (uint32_t run = 0; run <= test->options->runs; run++)
		if (!try(test, (struct trial){.workload = "shares", .seconds = run ? fmax(seconds * SHORT_OF, SECONDS_MIN) : seconds}, run))
			return false;
	return true;
}

static bool try_period(struct selftest *test, double of_distance, bool fixed)
{
	const struct trial trial = {.workload = "periodic",
		.seconds = fmax(test->options->seconds / 2, SECONDS_MIN),
		.fixed = fixed,
		.period_ns = 1e9 / test->options->hz * of_distance};

	return try(test, trial, 0);
}

/* In step with the sampling: its period is a quarter of the samples' distance, that, and ten of it. And what random distances are worst at:
 * a period that is one of the two which these are made of. */
static bool try_periodic(struct selftest *test)
{
	static const double of_distance[] = {0.25, 1, 10};
	bool good = true;

	for (uint32_t i = 0; good && i < sizeof of_distance / sizeof *of_distance; i++)
		good = try_period(test, of_distance[i], false) && try_period(test, of_distance[i], true);
	for (uint32_t i = 0; good && i < 2; i++)
		good = try_period(test, perf_set_get_distance(i), false);
	return good;
}

static int try_all(const struct options *options, struct diag *diag)
{
	const char *temporary = getenv("TMPDIR");
	char folder[4096];
	struct selftest test = {.options = options,
		.print = {.form = options->form, .diag = diag, .hz = options->hz},
		.folder = folder,
		.diag = diag};
	bool good = true;

	snprintf(folder, sizeof folder, "%s/dwell-selftest.XXXXXX", temporary && *temporary ? temporary : "/tmp");
	if (!mkdtemp(folder)) {
		diag_add(diag, DIAG_ERROR, folder, DIAG_NO_OFFSET, "a folder cannot be made");
		return COMMAND_BY_DIAG;
	}
	selftest_print_begin(&test.print);
	if (!options->only || !strcmp(options->only, "shares"))
		good = try_shares(&test);
	if (good && (!options->only || !strcmp(options->only, "periodic")))
		good = try_periodic(&test);
	rmdir(folder);
	selftest_print_close(&test.print);
	if (!good && test.print.stopped)
		return 130;
	return good && !selftest_print_end(&test.print) ? 1 : COMMAND_BY_DIAG;
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options = {.hz = SAMPLING_HZ, .seconds = 2, .runs = 20};

	if (!read_options(argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	if (options.workload) {
		run_workload(&options, diag);
		return COMMAND_BY_DIAG;
	}
	return try_all(&options, diag);
}

const struct command command_selftest = {
	"selftest", "", "Says whether sampling can be trusted, by programs of known truth", rows, about, run, OPERANDS_OTHER};
