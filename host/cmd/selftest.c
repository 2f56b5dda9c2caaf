/* dwell selftest: whether sampling can be trusted here, by programs whose truth is known. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/option.h"
#include "cmd/selftest/print.h"
#include "cmd/selftest/trial.h"
#include "sample/perf/perf_set.h"
#include "sample/sampling.h"
#include "trial/workload.h"
#include "util/units.h"

static const char help[] =
	"  -F HZ          samples a second of CPU time, 1 to 20000 (997)\n"
	"  --runs N       short runs of the program of known shares, 1 to 1000 (20); the\n"
	"                 more, the more is known of the intervals. A verdict takes 9 or\n"
	"                 more: 50 intervals\n"
	"  --seconds S    how long a run is (short ones a quarter of it, and 0.1 at\n"
	"                 least), 0.1 to 60 (2)\n"
	"  --only NAME    one of the two programs: shares or periodic\n"
	"  --csv          workload,period_us,jittered,run,function,true_percent,\n"
	"                 self_percent,self_low,self_high: each function in each run\n"
	OPTION_HELP_JSON
	"  --workload NAME\n"
	"                 runs one program only and prints its truth, for sampling it\n"
	"                 with whatever one likes: shares (five functions of 0.1, 1, 5,\n"
	"                 20 and 74 %), periodic (phase_tenth has a tenth of each\n"
	"                 period), deep (2000 frames), storm (200 threads that live 5 ms\n"
	"                 each). A line is a function and its nanoseconds, the last one\n"
	"                 the CPU time of all\n"
	"  --period T     of periodic; 1ms. A sampler that is in step with it sees one of\n"
	"                 its two functions and never the other\n"
	"  --truth FILE   where that is written to, instead of standard output\n"
	"\n"
	"Samples programs that know how long each of their functions took, as dwell\n"
	"record --sample does, and compares: whether the intervals hold the truth as\n"
	"often as they say, how many samples came of those that were asked for, and how\n"
	"far off a program is whose period is the sampling's own, with samples at random\n"
	"distances and at even ones, or one of the two distances that the random ones are\n"
	"made of. It takes some 17 s.\n"
	"\n"
	"Exit status: 0 when sampling can be trusted, 1 when not, or when that cannot be\n"
	"told, 2 when it cannot be tried.\n";

#define RUNS_MAX 1000u
#define SECONDS_MIN 0.1 /* of a workload */
#define SHORT_OF 0.25   /* of --seconds */
#define PERIOD_NS 1e6
#define DEEP_FRAMES 2000u
#define STORM_THREADS 200u
#define STORM_NS 5e6

struct options {
	const char *workload, *truth, *only;
	double hz, seconds, period_ns;
	uint64_t runs;
	enum writer_form form;
	const char *of_all, *of_some; /* null, or an option that was given: of the trials, of workloads that take their time */
};

static bool read_number(const char *option, const char *text, double low, double high, double *number, struct diag *diag)
{
	char *end;

	*number = strtod(text, &end);
	if (*text && !*end && *number >= low && *number <= high)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "selftest: %s '%s': expected a number from %g to %g", option, text, low, high);
	return false;
}

static bool read_period(const char *text, double *period_ns, struct diag *diag)
{
	int64_t ns;

	if (units_read_ns(text, &ns) && ns >= 10000 && ns <= 1000000000) {
		*period_ns = (double)ns;
		return true;
	}
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "selftest: --period '%s': expected a time from 10us to 1s", text);
	return false;
}

static bool is_one_of(const char *option, const char *text, const char *const *names, const char *expected, struct diag *diag)
{
	for (; *names; names++)
		if (!strcmp(text, *names))
			return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "selftest: %s '%s': expected %s", option, text, expected);
	return false;
}

/* What would have no effect is a mistake. */
static bool check_options(const struct options *options, struct diag *diag)
{
	const char *workload = options->workload, *option = NULL, *of = NULL;

	if (options->period_ns > 0 && (!workload || strcmp(workload, "periodic"))) {
		option = "--period";
		of = "with --workload periodic, of which it is";
	} else if (!workload && options->truth) {
		option = "--truth";
		of = "with --workload, whose truth it is";
	} else if (workload && options->of_all) {
		option = options->of_all;
		of = "without --workload, which samples nothing";
	} else if (workload && options->of_some && !strcmp(workload, "storm")) {
		option = options->of_some;
		of = "with another workload: the storm ends with its last thread";
	}
	if (option)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "selftest: %s: expected %s", option, of);
	return !option;
}

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	enum { RUNS = 1000, SECONDS, ONLY, CSV, JSON, WORKLOAD, PERIOD, TRUTH };
	static const struct option known[] = {{"runs", required_argument, NULL, RUNS}, {"seconds", required_argument, NULL, SECONDS},
		{"only", required_argument, NULL, ONLY}, {"csv", no_argument, NULL, CSV}, {"json", no_argument, NULL, JSON},
		{"workload", required_argument, NULL, WORKLOAD}, {"period", required_argument, NULL, PERIOD}, {"truth", required_argument, NULL, TRUTH}, {"help", no_argument, NULL, 'h'}, {0}};
	static const char *const workloads[] = {"shares", "periodic", "deep", "storm", NULL}, *const tried[] = {"shares", "periodic", NULL};
	double runs;
	int option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, ":hF:", known, NULL)) != -1) {
		bool good = true;

		switch (option) {
		case 'F':
			options->of_all = "-F";
			good = read_number("-F", optarg, SAMPLING_HZ_MIN, SAMPLING_HZ_MAX, &options->hz, diag);
			break;
		case RUNS:
			options->of_all = "--runs";
			good = read_number("--runs", optarg, 1, RUNS_MAX, &runs, diag);
			options->runs = good ? (uint64_t)runs : 0;
			break;
		case SECONDS:
			options->of_some = "--seconds";
			good = read_number("--seconds", optarg, SECONDS_MIN, 60, &options->seconds, diag);
			break;
		case ONLY:
			options->of_all = "--only";
			options->only = optarg;
			good = is_one_of("--only", optarg, tried, "shares or periodic", diag);
			break;
		case CSV:
		case JSON:
			options->of_all = option == CSV ? "--csv" : "--json";
			if (options->form != WRITER_TEXT && options->form != (option == CSV ? WRITER_CSV : WRITER_JSON)) {
				diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "selftest: --csv and --json: one of them at a time");
				return false;
			}
			options->form = option == CSV ? WRITER_CSV : WRITER_JSON;
			break;
		case WORKLOAD:
			options->workload = optarg;
			good = is_one_of("--workload", optarg, workloads, "shares, periodic, deep or storm", diag);
			break;
		case PERIOD:
			good = read_period(optarg, &options->period_ns, diag);
			break;
		case TRUTH:
			options->truth = optarg;
			break;
		default:
			return option_refuse(&command_selftest, option, argv, diag);
		}
		if (!good)
			return false;
	}
	if (optind < argc) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "selftest: '%s' is not expected; usage: dwell selftest %s", argv[optind],
			command_selftest.arguments);
		return false;
	}
	return check_options(options, diag);
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
		workload_periodic(options->seconds, options->period_ns > 0 ? options->period_ns : PERIOD_NS, &truth);
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

static const char *get_values(const char *option)
{
	return !strcmp(option, "--workload") ? "shares, periodic, deep, storm" : !strcmp(option, "--only") ? "shares, periodic" : NULL;
}

const struct command command_selftest = {"selftest", "[-F HZ] [--runs N] [--seconds S] [--only NAME] [--csv | --json] | --workload NAME [--seconds S] [--period T] [--truth FILE]",
	"Says whether sampling can be trusted, by programs of known truth", help, run, get_values};
