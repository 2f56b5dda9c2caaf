/* dwell diff: what changed, function by function, and what cannot be told. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/diff.h"
#include "cli/command.h"
#include "cli/option.h"
#include "cli/output.h"
#include "cli/summary.h"
#include "model/profile/throttled.h"
#include "query/inlined.h"
#include "query/trace.h"
#include "util/units.h"
#include "writer/writer.h"

static const char help[] =
	"  --by KEY       what the verdict is of: share, time or calls. Without it by\n"
	"                 time where there are so many runs that it is known how they\n"
	"                 differ (two of each, or four in all), or by share\n"
	"  --fail-over N  exit status 1 when it is proven that a function takes more by\n"
	"                 more than that: 5%, of what it took before; 0.5pp, of the time\n"
	"                 of the whole program before\n"
	"  --confidence N in so many of 100 comparisons of equal programs nothing is said\n"
	"                 to have changed (95)\n"
	OPTION_HELP_LIMIT("functions")
	OPTION_HELP_THREAD
	OPTION_HELP_JOBS
	INLINED_HELP
	INPUT_NAMES_HELP
	OPTION_HELP_NAMES
	"  --csv          function,verdict, then of shares old_percent,new_percent,\n"
	"                 percent_change,percent_low,percent_high,percent_provable,\n"
	"                 percent_p; of times old_ns to ns_p, of calls old_calls to\n"
	"                 calls_p. p, in percent, is how often so much is seen of\n"
	"                 anything where nothing has changed. Empty: not known\n"
	OPTION_HELP_JSON
	"\n"
	"OLD and NEW are recordings, all of samples or all traces. With several runs of\n"
	"each, a -- is between them.\n"
	"\n"
	"All figures are of a function itself, without what it calls. Between from and to\n"
	"is the true change: in 95 of 100 comparisons, for all functions at once. An\n"
	"interval that holds 0 is a change that cannot be told from none; can show is the\n"
	"smallest one that would have been found four times in five. Who looks at 300\n"
	"functions one by one sees changes in most comparisons of equal programs; by\n"
	"Holm's method there is any in one of twenty.\n"
	"\n"
	"Samples say how far a share may be from the true one of that run. How much runs\n"
	"differ, only several runs can say: give three or more of each. One trace of each\n"
	"has exact counts and times, which are facts of those two runs and prove nothing\n"
	"of the programs.\n"
	"\n"
	"A share rises when others fall; time tells them apart. Functions are matched by\n"
	"name and file, then by name without what the compiler puts behind it (.part.0,\n"
	".isra.0), then in another file.\n"
	"\n"
	"With --fail-over the exit status is 1 only for a change that is proven to be\n"
	"larger: the whole interval is beyond the limit. It is no proof that there is\n"
	"none below it: can show is. Warnings do not count then; 2 is an error, as ever.\n"
	"Calls of one trace of each are exact: --by calls has 1 for any that are more by\n"
	"more, where no trace lost events. By time one trace of each cannot tell: 0.\n"
	"\nTimes are as recorded: what recording costs is the same on both sides.\n";

struct options {
	const char *by, *fail_over, *thread;
	enum writer_form form;
	uint64_t limit, jobs;
	double confidence;
	bool inlines, full_names;
	struct input_options input; /* of all files */
	struct diff_limit fail;
	char **files[COMPARE_SIDES];
	int counts[COMPARE_SIDES];
};

static const char *const measures[] = {[DIFF_SHARE] = "share", [DIFF_TIME] = "time", [DIFF_CALLS] = "calls"};
static const char *const side_names[] = {[COMPARE_OLD] = "old", [COMPARE_NEW] = "new"};

static int find_measure(const char *name)
{
	for (int m = 0; m < DIFF_MEASURES; m++)
		if (!strcmp(name, measures[m]))
			return m;
	return -1;
}

static bool read_limit(const char *text, struct diff_limit *limit, struct diag *diag)
{
	char *end;
	double value = strtod(text, &end);

	*limit = (struct diff_limit){value / 100, !strcmp(end, "pp")};
	if (end != text && *text != '-' && value >= 0 && value < 1e6 && (!strcmp(end, "%") || limit->is_points))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "diff: --fail-over '%s': expected a part as 5%%, or points as 0.5pp", text);
	return false;
}

/* How many of the words stand behind a --, which getopt takes away; -1: there is none. */
static int count_behind(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return argc - i - 1;
	return -1;
}

static bool split_files(int argc, char **argv, int first, int behind, struct options *options, struct diag *diag)
{
	int all = argc - first;

	options->counts[COMPARE_NEW] = behind < 0 ? 1 : behind;
	options->counts[COMPARE_OLD] = all - options->counts[COMPARE_NEW];
	options->files[COMPARE_OLD] = argv + first;
	options->files[COMPARE_NEW] = argv + first + options->counts[COMPARE_OLD];
	if (options->counts[COMPARE_OLD] >= 1 && options->counts[COMPARE_NEW] >= 1 && (behind >= 0 || all == 2))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
		"diff: %s; usage: dwell diff [OPTIONS] OLD NEW, or OLD... -- NEW...; 'dwell help diff' tells more",
		behind < 0 && all > 2 ? "which of them are old? put -- in front of the new ones" : "one old file, one new file, or more of each");
	return false;
}

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	const struct option_row rows[] = {
		{"by", OPTION_TEXT, &options->by},
		{"fail-over", OPTION_TEXT, &options->fail_over},
		{"confidence", OPTION_PERCENT, &options->confidence},
		{"limit", OPTION_COUNT, &options->limit, 'n'},
		{"thread", OPTION_TEXT, &options->thread},
		{"jobs", OPTION_COUNT, &options->jobs},
		{"inlines", OPTION_FLAG, &options->inlines},
		INPUT_ROWS(&options->input),
		{"full-names", OPTION_FLAG, &options->full_names},
		{"csv", OPTION_CSV, &options->form},
		{"json", OPTION_JSON, &options->form},
	};
	int first, behind = count_behind(argc, argv);

	*options = (struct options){.form = WRITER_TEXT, .limit = UINT64_MAX, .confidence = 95};
	if (!option_read_words(&command_diff, rows, sizeof rows / sizeof *rows, argc, argv, &first, diag))
		return false;
	if (options->by && find_measure(options->by) < 0) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "diff: --by '%s': expected one of share, time, calls", options->by);
		return false;
	}
	if (options->confidence < 50 || options->confidence > 99.99) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "diff: --confidence %g: expected a number from 50 to 99.99", options->confidence);
		return false;
	}
	if (options->fail_over && !read_limit(options->fail_over, &options->fail, diag))
		return false;
	return split_files(argc, argv, first, behind, options, diag);
}

/* What all runs must have in common, as the first one has it; and what is said of them. */
struct common {
	const char *path;
	bool is_sampled, is_wall;
	bool as_sums;    /* all of them are taken as sums … */
	bool needs_sums; /* … since one of them is no more than that: to be read again */
	char unit[32];
	struct clock_map clock;
	enum dwell_sampling_engine engine;
	uint64_t runs;
	uint64_t warned; /* the first ones, of which all was said, though they are read again */
	bool doubts_program;
	bool is_uneven;     /* of some functions one run has not the calls that another has */
	char left_out[300]; /* by the first one */
	double samples[COMPARE_SIDES];
};

static bool refuse(const struct trace *trace, const char *what, const char *other)
{
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%s%s%s", what, *other ? ": cannot be compared with " : "", other);
	return false;
}

/* What one run leaves out is missing there alone, and its time is its callers'. */
static void check_even(const struct trace *trace, const char *path, struct common *common)
{
	const char *left_out = model_get_left_out(trace->model);
	bool first = common->path == path && common->runs == 1;

	if (first)
		snprintf(common->left_out, sizeof common->left_out, "%s", left_out);
	if (strcmp(left_out, common->left_out)) {
		common->is_uneven = true;
		if (common->runs > common->warned)
			diag_add(trace->diag, DIAG_WARN, path, DIAG_NO_OFFSET,
				"was recorded with %s, %s with %s: what one of them leaves out is missing there, and is its callers' time",
				*left_out ? left_out : "all", common->path, *common->left_out ? common->left_out : "all");
	}
	if (!model_get_throttled(trace->model)->count && !model_get_chosen(trace->model)->count)
		return;
	common->is_uneven = true;
	if (common->runs > common->warned)
		diag_add(trace->diag, DIAG_WARN, path, DIAG_NO_OFFSET, "was recorded with %s: what that left out is missing in the comparison",
			model_get_chosen(trace->model)->count ? "--keep-slowest" : "--throttle");
}

static bool check_common(const struct trace *trace, const char *path, struct common *common)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct message_sampling *sampling = model_get_sampling(trace->model);
	const struct clock_map *clock = model_get_clock(trace->model);
	bool is_wall = sampling && sampling->is_wall, is_sampled = !common->as_sums && diff_is_sampled(profile);
	const char *unit = is_sampled || !profile->has_times ? profile->unit : clock_is_unknown(clock) ? "ticks" : "ns";

	if (diff_is_sums(profile) && !common->as_sums) {
		common->needs_sums = true;
		return false;
	}
	if (!is_sampled && !common->as_sums && (!profile->has_times || profile->is_untimed))
		return refuse(trace, sampling ? "has no samples" : "has neither samples nor times", "");
	if (!profile->function_count || (!profile->has_times && !profile->total))
		return refuse(trace, "has nothing to compare: no function was seen", "");
	if (!common->runs++) {
		common->path = path;
		common->is_sampled = is_sampled;
		common->is_wall = is_wall;
		common->engine = sampling ? sampling->engine : 0;
		common->clock = *clock;
		snprintf(common->unit, sizeof common->unit, "%s", unit);
		return true;
	}
	if (is_sampled != common->is_sampled)
		return refuse(trace, is_sampled ? "is sampled" : "is traced, not sampled", common->path);
	if (strcmp(unit, common->unit)) {
		char what[96];

		snprintf(what, sizeof what, "is measured in %s, not in %s", unit, common->unit);
		return refuse(trace, what, common->path);
	}
	if (is_sampled && is_wall != common->is_wall)
		return refuse(trace, is_wall ? "is of wall time, not of CPU time" : "is of CPU time, not of wall time", common->path);
	if (sampling && !common->as_sums && sampling->engine != common->engine)
		diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET, "was sampled in another way than %s", common->path);
	return true;
}

/* Reads a run. take: into the diff; else only what all have in common. */
static bool read_run(const struct options *options, const char *path, int side, struct common *common, struct diff *diff, struct diag *diag)
{
	const struct model_options model = {
		.want_profile = true, .raw = true, .no_durations = true, .thread = options->thread, .inlines = options->inlines};
	struct trace trace = {.diag = diag, .jobs = options->jobs, .input = options->input, .leaves_check = true, .hides_tree = true};
	bool good = inlined_read(&trace, path, &model);

	if (good) {
		const struct profile *profile = model_get_profile(trace.model);
		const struct diff_run run = {.profile = profile,
			.functions = model_get_functions(trace.model),
			.clock = model_get_clock(trace.model),
			.as_sums = common->as_sums};

		good = check_common(&trace, path, common);
		if (good)
			check_even(&trace, path, common);
		common->samples[side] += (double)profile->estimates.samples;
		if (good && !diff_add(diff, side, &run))
			good = refuse(&trace, "out of memory", "");
		if (!common->needs_sums && (!good || common->runs > common->warned)) {
			common->doubts_program = common->doubts_program || trace_check_program(&trace);
			common->warned = common->runs;
			summary_warn(&trace);
		}
	}
	trace_close(&trace);
	return good;
}

static struct diff *read_runs(const struct options *options, struct common *common, struct diag *diag)
{
	struct diff *diff = make_diff();
	bool good = diff != NULL;

	for (int side = 0; side < COMPARE_SIDES; side++)
		for (int i = 0; good && i < options->counts[side]; i++)
			good = read_run(options, options->files[side][i], side, common, diff, diag);
	if (good && !diff_finish(diff, options->confidence / 100)) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		good = false;
	}
	if (good)
		return diff;
	free_diff(diff);
	if (!common->needs_sums)
		return NULL;
	*common = (struct common){.as_sums = true, .warned = common->warned, .doubts_program = common->doubts_program};
	return read_runs(options, common, diag);
}

/* ---- for people ---- */

static bool is_time(const struct common *common)
{
	return !strcmp(common->unit, "ns") || !strcmp(common->unit, "ticks");
}

static void print_side(const struct options *options, const struct common *common, const struct compared *whole, int side)
{
	char text[UNITS_TEXT_BYTES];
	int runs = options->counts[side];

	printf("%s: ", side_names[side]);
	summary_print_name(stdout, options->files[side][0]);
	if (runs > 1)
		printf(" and %d more run%s", runs - 1, runs > 2 ? "s" : "");
	if (common->is_sampled) {
		units_format_count(text, (uint64_t)common->samples[side]);
		printf(", %s sample%s", text, common->samples[side] == 1 ? "" : "s");
	}
	if (is_time(common)) {
		clock_format_ns(text, &common->clock, (uint64_t)whole->mean[side]);
		printf(", %s%s", text, runs > 1 ? " on average" : "");
	}
	putchar('\n');
}

static void print_whole(const struct compared *whole, const char *time)
{
	double old = whole->mean[COMPARE_OLD] > 0 ? whole->mean[COMPARE_OLD] / 100 : 1;

	printf("all functions together: %+.2f %% of %s", whole->change / old, time);
	if (!whole->is_known)
		puts(", in these runs");
	else
		printf(", between %+.2f and %+.2f %%: %s\n", whole->low / old, whole->high / old,
			whole->verdict == COMPARE_ROSE ? "rose" : whole->verdict == COMPARE_FELL ? "fell" : "cannot tell");
}

static void print_head(const struct options *options, const struct common *common, const struct diff *diff, enum diff_measure by)
{
	struct compared whole = diff_get_whole(diff);

	for (int side = 0; side < COMPARE_SIDES; side++)
		print_side(options, common, &whole, side);
	if (is_time(common))
		print_whole(&whole, common->as_sums ? "what was counted" : common->is_wall || (!common->is_sampled && !diff_is_on_cpu(diff)) ? "wall time" : "CPU time");
	printf("by %s: change, from, to and can show are %s\n\n", measures[by],
		by == DIFF_SHARE ? "points of all time" : "parts of what it was");
}

static void print_foot(const struct options *options, const struct common *common, const struct diff *diff, enum diff_measure by)
{
	struct diff_counts counts = diff_count(diff, by);
	bool knows_runs = diff_knows_runs(diff);

	if (!counts.functions)
		return;
	if (!knows_runs && (!common->is_sampled || by == DIFF_CALLS)) {
		puts("\nOne run of each: these are facts of those runs. How much runs differ, three or more of each can tell: OLD... -- NEW...");
		return;
	}
	printf("\n%u rose, %u fell, of %u function%s that were looked at", counts.rose, counts.fell, counts.looked_at,
		counts.looked_at == 1 ? "" : "s");
	if (counts.functions > counts.looked_at)
		printf("; of %u more too little was seen to show any change", counts.functions - counts.looked_at);
	printf(".\nIn %g of 100 comparisons of equal programs nothing is said to have changed.\n", options->confidence);
	if (!knows_runs)
		puts("One run of each: how much runs differ is not in it. Three or more of each tell: OLD... -- NEW...");
}

static void write_diff(const struct options *options, const struct common *common, const struct diff *diff, enum diff_measure by,
	struct diag *diag)
{
	const struct diff_table table = {.by = by, .limit = options->limit};
	struct output_table out;
	bool good;

	if (options->form == WRITER_TEXT)
		print_head(options, common, diff, by);
	out = output_begin_table(options->form, &common->clock, NULL, options->full_names, diag);
	good = diff_write(diff, &table, &out.sink);
	output_end_table(&out);
	if (!good)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	else if (options->form == WRITER_TEXT)
		print_foot(options, common, diff, by);
}

/* False and a diag: what was asked for is not in these files. */
static bool choose(const struct options *options, const struct diff *diff, enum diff_measure *by, struct diag *diag)
{
	bool is_fact = diff_has(diff, DIFF_CALLS) || diff_is_of_sums(diff);

	*by = diff_has(diff, DIFF_TIME) && (diff_knows_runs(diff) || is_fact) ? DIFF_TIME : DIFF_SHARE;
	if (options->by)
		*by = (enum diff_measure)find_measure(options->by);
	if (diff_has(diff, *by))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "diff: --by %s: %s", options->by,
		*by == DIFF_CALLS ? "samples count no calls" : "these are not measured in time");
	return false;
}

/* Counts are exact where nothing was lost: a call that one trace lacks may be one that it lost. */
static int decide_exact(const struct options *options, uint32_t over, struct diag *diag)
{
	bool lost = diag_status(diag) > 0;

	if (over)
		diag_add(diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET,
			lost ? "diff: --fail-over %s: cannot tell: %u over it, but the traces are not complete, so that counts are not exact"
			     : "diff: --fail-over %s: %u over it: counts of calls are exact, of these two runs",
			options->fail_over, over);
	return over && !lost ? 1 : 0;
}

/* What a script is told: 1 only for what is proven. */
static int decide(
	const struct options *options, const struct common *common, const struct diff *diff, enum diff_measure by, struct diag *diag)
{
	uint32_t over = diff_count_over(diff, by, &options->fail);

	if (diag_has_error(diag))
		return COMMAND_BY_DIAG;
	if (over && common->is_uneven) {
		diag_add(diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET,
			"diff: --fail-over %s: cannot tell: %u over it, but the recordings do not leave out the same", options->fail_over, over);
		return 0;
	}
	if (diff_is_exact(diff, by))
		return decide_exact(options, over, diag);
	if (!diff_knows_runs(diff) && (by == DIFF_CALLS || diff_has(diff, DIFF_CALLS) || diff_is_of_sums(diff)))
		diag_add(diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET,
			"diff: --fail-over %s: cannot tell: one trace of each proves nothing of the programs; give three or more of each", options->fail_over);
	else if (over)
		diag_add(diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET, "diff: --fail-over %s: %u proven to be over it%s", options->fail_over, over,
			diff_knows_runs(diff) ? "" : "; but how much runs differ is not in it: one run of each");
	return over ? 1 : 0;
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct common common = {0};
	struct diff *diff;
	enum diff_measure by;
	int status = COMMAND_BY_DIAG;

	if (!read_options(argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	diff = read_runs(&options, &common, diag);
	if (diff && choose(&options, diff, &by, diag)) {
		write_diff(&options, &common, diff, by, diag);
		if (options.fail_over)
			status = decide(&options, &common, diff, by, diag);
	}
	free_diff(diff);
	return status;
}

static const char *get_values(const char *option)
{
	return !strcmp(option, "--by") ? "share, time, calls" : NULL;
}

const struct command command_diff = {"diff",
	"[--by KEY] [--fail-over N] [--confidence N] [--limit N] [--thread T] [--jobs N] [--inlines] " INPUT_NAMES_ARGUMENTS
	"[--full-names] [--csv | --json] OLD NEW | OLD... -- NEW...",
	"Shows what changed between two programs, and what cannot be told", help, run, get_values};
