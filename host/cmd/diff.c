/* dwell diff: what changed, function by function, and with what certainty. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer.h"
#include "cli/command.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "query/ask/diff.h"
#include "query/questions.h"
#include "util/real.h"
#include "util/units.h"
#include "writer/writer.h"

static const char about[] =
	"OLD and NEW are recordings, all of samples or all traces. With several runs of\n"
	"each, separate them with --.\n"
	"\n"
	"All figures are of a function itself, without what it calls; --by total adds\n"
	"that, so that the change shows at the function that calls more.\n"
	"\n"
	"The true change is between from and to: in 95 of 100 comparisons, for all\n"
	"functions at once. If that interval holds 0, dwell cannot tell whether\n"
	"anything changed, and shows the function with --all only; \"can show\" is the\n"
	"smallest change that this much data would show four times in five. Testing 300\n"
	"functions one by one finds changes in most comparisons of equal programs;\n"
	"dwell corrects for that by Holm's method.\n"
	"\n"
	"Samples know how far a share may be off within a run. How much runs differ only\n"
	"several runs can show: give three or more of each. One trace of each has exact\n"
	"counts and times: facts of those two runs, which prove nothing about the\n"
	"programs.\n"
	"\n"
	"A share rises when others fall; time tells them apart. dwell matches functions\n"
	"by name and program or library file, then by name without the compiler's suffix\n"
	"(.part.0, .isra.0), then in another file. Static functions of one name in a file\n"
	"have a row each if all runs are of one build, else a row together.\n"
	"\n"
	"With --fail-over the exit status is 1 only if a change is proven to be larger:\n"
	"the whole interval is beyond the limit. Passing does not rule out smaller\n"
	"changes; see \"can show\". Warnings do not count then; 2 is an error. Calls of one\n"
	"trace of each are exact: --by calls ends with 1 if any increase is larger and no\n"
	"events were lost. By time, one trace of each cannot tell: 0.\n"
	"\n"
	"Times are as recorded: the cost of recording is the same on both sides.\n";

struct options {
	const char *fail_over;
	enum writer_form form;
	uint64_t jobs;
	bool full_names, all;
	struct input_options input; /* for all files */
	struct diff_limit fail;
	struct diff_question diff;
};

#define RISEN_MAX 3u /* functions named below the table */

static const char *const side_names[] = {[COMPARE_OLD] = "old", [COMPARE_NEW] = "new"};

static const char *take_limit(void *context, const char *text)
{
	struct options *options = context;
	char *end;
	double value = strtod(text, &end);

	options->fail_over = text;
	options->fail = (struct diff_limit){value / 100, !strcmp(end, "pp")};
	if (end != text && *text != '-' && value >= 0 && value < 1e6 && (!strcmp(end, "%") || options->fail.is_points))
		return NULL;
	return "a part as 5%, or points as 0.5pp";
}

static const struct option_row rows[] = {
	{.kind = OPTION_ROWS, .at = OPTION_AT(diff), .rows = diff_parameters},
	{"--fail-over", "N", OPTION_OWN, 0,
		"exit with status 1 if a function is proven to take more by over N: 5% of its own time before, or 0.5pp of the "
		"whole program's time before",
		.read = take_limit},
	{"--all", NULL, OPTION_FLAG, OPTION_AT(all), "also the functions that show no change; --csv and --json always have them"},
	ROW_JOBS,
	ROWS_INPUT,
	ROW_FULL_NAMES,
	ROWS_FORM("columns: function,verdict, then for shares "
		"old_percent,new_percent,percent_change,percent_low,percent_high,percent_provable,percent_p; for times old_ns to "
		"ns_p, for calls old_calls to calls_p, for totals old_total_ns to ns_total_p. p, in percent, is how often chance alone shows as much. A cell is empty "
		"if its value is not known"),
	{"--markdown", NULL, OPTION_SET, OPTION_AT(form), "the same as a table of Markdown, for the summary of a build", .number = WRITER_MARKDOWN,
		.excludes = OPTION_EXCLUDES({"--csv --json", "one of them at a time"})},
	{0}};

/* The number of words after "--"; -1: there is no "--". Call it before getopt removes the "--". */
static int count_after_dashes(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return argc - i - 1;
	return -1;
}

/* Sets the old and the new files. behind: number of new files, after "--"; -1: one file of each. False with a diag: a file is
 * missing. */
static bool split_files(int argc, char **argv, int first, int behind, struct options *options, struct diag *diag)
{
	struct question_runs *runs = &options->diff.question.runs;
	int all = argc - first, new = behind < 0 ? 1 : behind;

	if (all - new >= 1 && new >= 1 && (behind >= 0 || all == 2)) {
		*runs = (struct question_runs){{[COMPARE_OLD] = argv + first, [COMPARE_NEW] = argv + argc - new},
			{[COMPARE_OLD] = (size_t)(all - new), [COMPARE_NEW] = (size_t)new}};
		return true;
	}
	return option_refuse_words(&command_diff,
		behind < 0 && all > 2 ? "which of them are old? put -- in front of the new ones;"
				      : "one old file, one new file, or more of each;",
		diag);
}

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	int behind = count_after_dashes(argc, argv);
	struct option_line line;

	*options = (struct options){0};
	question_begin(&options->diff.question, &question_diff);
	options->diff.question.is_option = true;
	return option_read_line(&command_diff, options, argc, argv, &line, diag) &&
	       split_files(argc, argv, line.first, behind, options, diag);
}

/* ---- for people ---- */

static bool is_time(const struct comparison *comparison)
{
	return !strcmp(comparison->unit, "ns") || !strcmp(comparison->unit, "ticks");
}

static void print_side(const struct diff_question *ask, const struct compared *whole, int side)
{
	const struct question_runs *files = &ask->question.runs;
	const struct comparison *comparison = &ask->comparison;
	char text[UNITS_TEXT_BYTES];
	size_t runs = files->counts[side];

	printf("%s: ", side_names[side]);
	summary_print_name(stdout, files->files[side][0]);
	if (runs > 1)
		printf(" and %zu more run%s", runs - 1, runs > 2 ? "s" : "");
	if (comparison->is_sampled) {
		units_format_count(text, real_to_u64(comparison->samples[side]));
		printf(", %s sample%s", text, comparison->samples[side] == 1 ? "" : "s");
	}
	if (is_time(comparison)) {
		clock_format_ns(text, &comparison->clock, real_to_u64(whole->mean[side]));
		printf(", %s%s", text, runs > 1 ? " on average" : "");
	}
	putchar('\n');
}

/* Prints the change of all functions together, as a part of the old time. */
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

static void print_runs(const struct diff_question *ask)
{
	const struct comparison *comparison = &ask->comparison;
	enum diff_measure by = ask->by;
	struct compared whole = diff_get_whole(comparison->diff);

	for (int side = 0; side < COMPARE_SIDES; side++)
		print_side(ask, &whole, side);
	if (is_time(comparison))
		print_whole(&whole, comparison_time_name(comparison));
	printf("by %s: %s %s; %s\n", comparison_measure_name(by),
		diff_knows_errors(comparison->diff, by) ? "change, from, to and can show are" : "change is",
		by == DIFF_SHARE ? "in percentage points (pp) of all time" : "relative to old",
		by == DIFF_TIME ? "share is in percentage points (pp) of all time" : "time is relative to old");
	if (comparison->has_cost && by != DIFF_CALLS)
		puts("times are as recorded: what recording cost is in them, unlike in a report");
	putchar('\n');
}

/* Prints how many functions the table leaves out: they show no change, or have too few samples to show one. */
static void print_hidden(const struct diff_question *ask, const struct diff_counts *counts, unsigned too_few)
{
	if (ask->changed_only && counts->unchanged)
		printf("%u function%s %s; --all lists %s.\n", counts->unchanged, counts->unchanged == 1 ? "" : "s",
			too_few ? counts->unchanged == 1 ? "is left out" : "are left out"
			: counts->unchanged == 1 ? "shows no change" : "show no change",
			counts->unchanged == 1 ? "it" : "them");
}

/* Prints the functions whose time rose in what they call, of which the table has only what they call. */
static void print_risen(const struct diff_question *ask)
{
	const struct diff *diff = ask->comparison.diff;
	uint32_t risen[RISEN_MAX];
	size_t count = ask->by == DIFF_TOTAL ? 0 : diff_find_risen(diff, risen, RISEN_MAX);

	for (size_t i = 0; i < count; i++) {
		const struct compared *of = diff_get_compared(diff, DIFF_TOTAL, risen[i]);

		fputs(i ? ", " : "With what they call, these took more: ", stdout);
		summary_print_name(stdout, diff_get_name(diff, risen[i]));
		if (of->mean[COMPARE_OLD] > 0)
			printf(" %+.2f %%", 100 * of->change / of->mean[COMPARE_OLD]);
	}
	if (count)
		puts("; --by total compares all.");
}

static void print_verdicts(const struct diff_question *ask)
{
	const struct comparison *comparison = &ask->comparison;
	enum diff_measure by = ask->by;
	struct diff_counts counts = diff_count(comparison->diff, by);
	bool knows_runs = diff_knows_runs(comparison->diff);
	unsigned too_few = counts.functions - counts.looked_at;

	if (!counts.functions)
		return;
	if (!knows_runs && (!comparison->is_sampled || by == DIFF_CALLS)) {
		putchar('\n');
		print_hidden(ask, &counts, 0);
		print_risen(ask);
		puts("One run of each: these numbers are true for these two runs only. To see how much runs differ, record three or more of each: dwell diff OLD... -- NEW...");
		return;
	}
	printf("\n%u rose, %u fell, of %u function%s that were looked at", counts.rose, counts.fell, counts.looked_at,
		counts.looked_at == 1 ? "" : "s");
	if (too_few)
		printf("; %u more had too few %s to compare", too_few, comparison->is_sampled ? "samples" : "calls");
	puts(".");
	print_hidden(ask, &counts, too_few);
	print_risen(ask);
	printf("In %g of 100 comparisons of equal programs dwell reports no change.\n", ask->confidence);
	if (!knows_runs)
		puts("One run of each does not show how much runs differ. Record three or more of each: dwell diff OLD... -- NEW...");
}

static const struct diff_question *get_diff_question(const struct question *question)
{
	return (const struct diff_question *)question;
}

static void print_head(const struct trace *trace, const struct question *question)
{
	(void)trace;
	print_runs(get_diff_question(question));
}

static void print_foot(const struct trace *trace, const struct question *question, const struct output_table *table)
{
	(void)trace, (void)table;
	print_verdicts(get_diff_question(question));
}

/* The exit status for exact counts of calls. over: number of functions over the limit. Counts are exact only if nothing was lost:
 * a call missing from a trace may be a lost call. */
static int decide_exact_status(const struct options *options, uint32_t over, struct diag *diag)
{
	bool lost = diag_status(diag) > 0;

	if (over)
		diag_add(diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET,
			lost ? "diff: --fail-over %s: cannot tell: %u over it, but the traces are not complete, so that counts are not exact"
			     : "diff: --fail-over %s: %u over it: counts of calls are exact, of these two runs",
			options->fail_over, over);
	return over && !lost ? 1 : 0;
}

/* The exit status for --fail-over: 1 only for a proven change. */
static int decide_status(const struct options *options, struct diag *diag)
{
	const struct comparison *comparison = &options->diff.comparison;
	enum diff_measure by = options->diff.by;
	uint32_t over = diff_count_over(comparison->diff, by, &options->fail);

	if (diag_has_error(diag))
		return COMMAND_BY_DIAG;
	if (over && comparison->is_uneven) {
		diag_add(diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET,
			"diff: --fail-over %s: cannot tell: %u over it, but the recordings do not leave out the same", options->fail_over, over);
		return 0;
	}
	if (diff_is_exact(comparison->diff, by))
		return decide_exact_status(options, over, diag);
	if (!diff_knows_runs(comparison->diff) &&
		(by == DIFF_CALLS || diff_has_measure(comparison->diff, DIFF_CALLS) || diff_is_of_sums(comparison->diff)))
		diag_add(diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET,
			"diff: --fail-over %s: cannot tell: one trace of each proves nothing of the programs; give three or more of each", options->fail_over);
	else if (over)
		diag_add(diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET, "diff: --fail-over %s: %u proven to be over it%s", options->fail_over, over,
			diff_knows_runs(comparison->diff) ? "" : "; but how much runs differ is not in it: one run of each");
	return over ? 1 : 0;
}

static int run(int argc, char **argv, struct diag *diag)
{
	static const struct answer_texts texts = {.print_head = print_head, .print_foot = print_foot, .row = "function"};
	struct options options;
	struct trace trace = {.diag = diag};
	struct answer answer = {.question = &options.diff.question, .texts = &texts};
	int status = COMMAND_BY_DIAG;

	if (!read_options(argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	answer.form = options.form;
	answer.full_names = options.full_names;
	options.diff.changed_only = !options.all && (options.form == WRITER_TEXT || options.form == WRITER_MARKDOWN);
	trace.input = options.input;
	trace.jobs = options.jobs;
	if (question_read(answer.question, &trace, NULL)) {
		answer_write(&answer, &trace);
		if (options.fail_over)
			status = decide_status(&options, diag);
	}
	question_clear(answer.question);
	return status;
}

const struct command command_diff = {"diff", "OLD NEW, or OLD... -- NEW...", "Compares recordings: what changed, and how sure that is", rows, about, run,
	.task = TASK_COMPARE,
	.examples = "  dwell diff old.dwell new.dwell   one recording of each\n"
		    "  dwell diff o1 o2 o3 -- n1 n2 n3  several runs of each\n"};
