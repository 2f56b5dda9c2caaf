/* dwell report: where the time went, function by function. */
#include <stdio.h>

#include "analysis/functions.h"
#include "analysis/shares.h"
#include "analysis/tree.h"
#include "cli/command.h"
#include "cli/exclude.h"
#include "cli/shared_options.h"
#include "cmd/report/split.h"
#include "cmd/report/table.h"
#include "model/profile/split.h"
#include "query/health.h"
#include "query/question.h"
#include "writer/export/folded.h"
#include "writer/writer.h"

static const char about[] =
	"FILE is a trace of dwell record; or sums of another tool (total and self are in\n"
	"the file's unit): folded stacks, or a pprof profile. - is standard input.\n"
	"\n"
	"total is the time in a function and all that it calls, not counted twice if it\n"
	"calls itself. self is total without what it calls. min, avg, max, p50 and p99\n"
	"are of single calls, entry to exit, as recorded; percentiles are within 3 %. A ~\n"
	"marks functions without a complete call (still running at the end, begun before\n"
	"the recording): these are lower bounds.\n"
	"\n"
	"cpu is the part of a time in which the thread was on a CPU. off is the rest: it\n"
	"waited, or was preempted and waited for a CPU. wall is both, and so are min to\n"
	"p99. Time for which this is not known is in neither; a ~ marks these bounds.\n"
	"\n"
	"total and self leave out what recording cost, unless --raw is given. That cost\n"
	"is estimated: cpu % or wall %, a function's part of all self time, lies between\n"
	"from and to. Rows are sorted by self less half of its error, so what is sure\n"
	"comes first. A ~ marks times that may be off by more than half, and lower bounds\n"
	"where lost events hide at least half of the function's calls or time.\n"
	"\n"
	"Samples: samples and self % count those in the function itself. A function that\n"
	"only calls others, as main often does, has 0 of them and a large total %.\n"
	"\n"
	"For each thread: self of all functions + recording + lost + outside = its last\n"
	"event - its first.\n";

struct options {
	struct input_options input;
	const char *path, *sort, *thread, *exclude;
	enum writer_form form;
	uint64_t limit, jobs;
	bool folded, lines, full_names, raw;
	const char *split;
	uint64_t intervals;
	enum by by;
};

/* Before a large file is read: a key of calls or of samples. Which it is of, and that folded stacks have fewer, is known behind that. */
static bool check_any_sort(const char *key, struct diag *diag)
{
	if (analysis_functions_can_sort(key, true) || analysis_shares_can_sort(key))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "report: --sort '%s': expected one of %s; of samples, one of %s", key,
		analysis_functions_sort_keys(true), analysis_shares_sort_keys());
	return false;
}

static const char *get_sort_keys(void)
{
	static char keys[256];

	snprintf(keys, sizeof keys, "%s, %s", analysis_functions_sort_keys(true), analysis_shares_sort_keys());
	return keys;
}

static const struct option_row rows[] = {
	{"--sort", "KEY", OPTION_TEXT, OPTION_AT(sort),
		"sort by function, calls, total, self, min, avg, max, p50 or p99; if CPU time is known, also by total_cpu, "
		"total_off, self_cpu, self_off or self_preempted. Without it: self_cpu, or self if CPU time is not known. "
		"Samples: function, samples, self_percent (the default) or total_percent",
		.get_choices = get_sort_keys},
	ROWS_BY(HELP_BY_OF_SUMS),
	ROW_LIMIT("functions"),
	ROWS_READING,
	ROW_LINES,
	ROW_FULL_NAMES,
	ROW_RAW,
	{"--write-exclude", "LIST", OPTION_FILE, OPTION_AT(exclude),
		"write a list for dwell record --not @LIST: functions that are so short and called so often that they cause much "
		"of the recording cost, and those that --throttle found",
		.excludes = OPTION_EXCLUDES({"--raw --folded --split --thread",
			"--write-exclude goes by what recording cost all threads: not with --raw, --folded, --split and "
			"--thread"})},
	ROWS_FORM("always the same columns; a cell is empty if its value is not known: "
		"function,calls,total_ns,self_ns,min_ns,avg_ns,max_ns,p50_ns,p99_ns,total_cpu_ns,total_off_ns,total_unknown_ns,self_cpu_ns,self_off_ns,self_preempted_ns,self_unknown_ns,total_recording_ns,total_error_ns,self_recording_ns,self_error_ns,samples,self_percent,self_low,self_high,total_percent,total,self,cut_calls. "
		"total and self are for sums whose unit is not time. cut_calls counts calls that lost events cut: how they went "
		"on is not known"),
	{"--folded", NULL, OPTION_FLAG, OPTION_AT(folded),
		"folded stacks for flame graphs; the weights are self times in nanoseconds. Of a path with more than 1,001 "
		"functions dwell writes the outermost 1,000, [...], and the innermost",
		.excludes = OPTION_EXCLUDES({"--csv --json --lines --sort --cpu --wall --limit",
			"--folded writes all paths: it goes with --thread only"})},
	{"--split", "FUNC", OPTION_TEXT, OPTION_AT(split),
		"samples: one function in detail, its code in intervals of bytes, each with its share; needs no debug information",
		.excludes = OPTION_EXCLUDES({"--folded --lines --sort --cpu --wall --limit",
			"--split shows one function: it goes with --intervals, --thread, --csv and --json only"})},
	{"--intervals", "N", OPTION_COUNT, OPTION_AT(intervals), "the number of intervals, 1 to 999 (25)", .low = 1, .high = SPLIT_INTERVALS_MAX,
		.needs = {"--split", "--intervals: of which function? it goes with --split FUNC"}},
	{0}};

static void write_folded(const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct analysis_tree tree = {.profile = profile,
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.limit = UINT64_MAX,
		.depth_limit = UINT64_MAX,
		.sums = true};
	struct table_sink sink = make_folded_writer(profile->is_untimed ? "calls" : "self", stdout, "standard output", trace->diag);

	if (!analysis_tree(&tree, &sink))
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	free_folded_writer(&sink);
}

static void report(struct trace *trace, const struct options *options)
{
	struct answer answer = {.question = {.kind = QUESTION_FUNCTIONS,
					.thread = options->thread,
					.sort = options->sort,
					.by = options->by,
					.limit = options->limit,
					.raw = options->raw,
					.is_option = true},
		.form = options->form,
		.lines = options->lines,
		.full_names = options->full_names,
		.print_head = report_print_head,
		.print_foot = report_print_foot};
	const struct model_options model = {.want_profile = true,
		.raw = options->raw,
		.no_durations = options->folded,
		.split = options->split,
		.split_intervals = (uint32_t)options->intervals,
		.thread = options->thread};

	if (!trace_read_model(trace, options->path, &model))
		return;
	if (options->split)
		split_report(trace, &(struct split_options){options->split, options->intervals, options->form});
	else if (options->folded)
		write_folded(trace);
	else
		answer_write(&answer, trace);
	if (options->exclude && model_get_profile(trace->model)->is_net)
		exclude_write(trace, options->exclude);
	else if (options->exclude)
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "--write-exclude: the file does not say what recording it cost");
	health_warn(trace);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options = {.limit = UINT64_MAX, .intervals = SPLIT_INTERVALS};
	struct trace trace = {.diag = diag};

	if (!option_read(&command_report, &options, "file", argc, argv, &options.path, diag) ||
		(options.sort && !check_any_sort(options.sort, diag)))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
	trace.jobs = options.split ? 1 : options.jobs;
	trace.hides_tree = !options.folded;
	report(&trace, &options);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_report = {"report", "FILE", "Shows where the time went, function by function", rows, about, run,
	.task = TASK_LOOK,
	.examples = "  dwell report app.dwell                     functions by self time\n"
		    "  dwell report --sort total -n 20 app.dwell  20 functions by total time\n"};
