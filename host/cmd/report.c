/* dwell report: where the time went, function by function. */
#include <stdio.h>

#include "analysis/functions.h"
#include "analysis/shares.h"
#include "analysis/tree.h"
#include "cli/command.h"
#include "cli/exclude/exclude.h"
#include "cli/shared_options.h"
#include "cmd/report/split.h"
#include "cmd/report/table.h"
#include "model/profile/split.h"
#include "query/health.h"
#include "query/inlined.h"
#include "query/question.h"
#include "writer/export/folded.h"
#include "writer/writer.h"

static const char about[] =
	"FILE is a trace of dwell record; or sums of another tool (total and self in the\n"
	"file's unit): folded stacks, a profile of pprof, what perf script prints, or\n"
	"trace events of Chrome. - is standard input.\n"
	"\n"
	"total is the time in a function and all it calls; where it calls itself, that is\n"
	"not counted twice. self is total without what it calls. min, avg, max, p50 and\n"
	"p99 are of single calls, entry to exit, as recorded; a ~ marks functions none of\n"
	"whose calls is complete (still running at the end, begun before the recording):\n"
	"they are lower bounds. Percentiles are within 3 % of the true value.\n"
	"\n"
	"cpu is the part of it in which the thread was on a CPU, off the part in which it\n"
	"waited for something, or, preempted, for a CPU; wall is both, as are min to p99.\n"
	"Time of which that is not known is in neither: a ~ marks such lower bounds.\n"
	"\n"
	"What recording cost is not in total and self, but with --raw. It is estimated:\n"
	"cpu % or wall %, a function's part of the self time of all, lies between from\n"
	"and to. The order is by self less half of how far it may be off, so what is sure\n"
	"comes first. A ~ marks times that may be off by more than half; and lower\n"
	"bounds: at least half of the function's calls, or of the time in it, are calls\n"
	"of which lost events hide how they went on.\n"
	"\n"
	"For each thread, self of all functions + recording + time lost + time outside of\n"
	"any function = its last event - its first.\n";

struct options {
	struct input_options input;
	const char *path, *sort, *thread, *exclude, *exclude_form;
	enum exclude_form form_of_exclude;
	enum writer_form form;
	uint64_t limit, jobs;
	bool folded, lines, inlines, full_names, raw;
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
		"by function, calls, total, self, min, avg, max, p50 or p99; where the CPU time is known, by total_cpu, total_off, "
		"self_cpu, self_off or self_preempted. Without it by self_cpu, or self where that is not known. Of samples: by "
		"function, samples, self_percent (without it) or total_percent",
		.get_choices = get_sort_keys},
	ROWS_BY(HELP_BY_OF_SUMS),
	ROW_LIMIT("functions"),
	ROWS_READING,
	ROW_LINES,
	ROW_INLINES,
	ROW_FULL_NAMES,
	ROW_RAW,
	{"--write-exclude", "LIST", OPTION_FILE, OPTION_AT(exclude),
		"writes which functions are so short, and called so often, that recording them is much of what recording cost, and "
		"those that dwell record --throttle found, for dwell record --exclude LIST",
		.excludes = OPTION_EXCLUDES({"--raw --folded --split --thread",
			"--write-exclude goes by what recording cost all threads: not with --raw, --folded, --split and "
			"--thread"})},
	{"--exclude-form", "FORM", OPTION_CHOICE, OPTION_AT(exclude_form),
		"or for a compiler: gcc, an option for gcc @LIST; clang, for clang -fxray-attr-list=LIST; attribute, where in the "
		"sources no_instrument_function belongs",
		.choices = "record, gcc, clang or attribute", .needs = {"--write-exclude"}},
	ROWS_FORM("always these columns, empty where a number is not known: "
		  "function,calls,total_ns,self_ns,min_ns,avg_ns,max_ns,p50_ns,p99_ns,total_cpu_ns,total_off_ns,total_unknown_ns,self_cpu_ns,"
		  "self_off_ns,self_preempted_ns,self_unknown_ns,total_recording_ns,total_error_ns,self_recording_ns,"
		  "self_error_ns,samples,self_percent,self_low,self_high,total_percent,total,self,cut_calls. total and self are of sums whose "
		  "unit is not time. cut_calls are calls that ran while events were lost: it is not known how they went on"),
	{"--folded", NULL, OPTION_FLAG, OPTION_AT(folded),
		"folded stacks, for flame graphs: weights are self times in nanoseconds. Of a path of more than 1,001 functions "
		"the outermost 1,000 are written, [...], and the innermost",
		.excludes = OPTION_EXCLUDES({"--csv --json --lines --sort --cpu --wall --limit",
			"--folded writes all paths: it goes with --thread and --inlines only"})},
	{"--split", "FUNC", OPTION_TEXT, OPTION_AT(split),
		"of samples: one function in detail, its code in intervals of bytes, each with its share; no debug information is "
		"needed",
		.excludes = OPTION_EXCLUDES({"--folded --lines --inlines --sort --cpu --wall --limit",
			"--split shows one function: it goes with --intervals, --thread, --csv and --json only"})},
	{"--intervals", "N", OPTION_COUNT, OPTION_AT(intervals), "in so many, 1 to 999 (25)", .low = 1, .high = SPLIT_INTERVALS_MAX,
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
	struct question question = {.kind = QUESTION_FUNCTIONS,
		.thread = options->thread,
		.sort = options->sort,
		.by = options->by,
		.limit = options->limit,
		.raw = options->raw,
		.inlines = options->inlines,
		.is_option = true};
	const struct model_options model = {.want_profile = true,
		.raw = options->raw,
		.no_durations = options->folded,
		.split = options->split,
		.split_intervals = (uint32_t)options->intervals,
		.inlines = options->inlines,
		.thread = options->thread};

	if (!inlined_read(trace, options->path, &model))
		return;
	if (options->split)
		split_report(trace, &(struct split_options){options->split, options->intervals, options->form});
	else if (options->folded)
		write_folded(trace);
	else
		report_write_table(&question, trace, &(struct report_form){options->form, options->lines, options->full_names});
	if (options->exclude && model_get_profile(trace->model)->is_net)
		exclude_write(trace, options->exclude, options->form_of_exclude);
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
	if (options.exclude_form)
		exclude_form_find(options.exclude_form, &options.form_of_exclude);
	trace.input = options.input;
	trace.jobs = options.split ? 1 : options.jobs;
	trace.hides_tree = !options.folded;
	report(&trace, &options);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_report = {"report", "FILE", "Shows where the time went, function by function", rows, about, run};
