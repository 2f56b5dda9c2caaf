/* dwell report: where the time went, function by function. */
#include <stdio.h>

#include "analysis/functions.h"
#include "analysis/shares.h"
#include "cli/answer.h"
#include "cli/command.h"
#include "cli/exclude.h"
#include "cli/shared_options.h"
#include "cmd/report/split.h"
#include "cmd/report/table.h"
#include "query/ask/profile.h"
#include "query/ask/split.h"
#include "query/health.h"
#include "query/questions.h"
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
	"from and to. A ~ marks times that may be off by more than half, and lower bounds\n"
	"where lost events hide at least half of the function's calls or time. A ? marks\n"
	"functions that may be hot, and whose calls are too short to tell: to is 10 % or\n"
	"more, and from and to are further apart than 25 points or than the share. These\n"
	"rows come first, by to: sample them.\n"
	"\n"
	"Samples: samples and self % count those in the function itself. A function that\n"
	"only calls others, as main often does, has 0 of them and a large total %.\n"
	"\n"
	"For each thread: self of all functions + recording + lost + outside = its last\n"
	"event - its first.\n";

struct options {
	struct input_options input;
	const char *path, *exclude;
	enum writer_form form;
	uint64_t jobs;
	bool folded, full_names;
	struct profile_question functions;
	struct split_question split;
};

static const struct option_row rows[] = {
	{.kind = OPTION_ROWS, .at = OPTION_AT(functions), .rows = functions_parameters},
	{"--write-exclude", "LIST", OPTION_FILE, OPTION_AT(exclude),
		"write a list for dwell record --not @LIST: functions that are so short and called so often that they cause much "
		"of the recording cost, and those that --throttle found",
		.excludes = OPTION_EXCLUDES({"--raw --folded --split --thread",
			"--write-exclude goes by what recording cost all threads: not with --raw, --folded, --split and "
			"--thread"})},
	ROW_JOBS,
	ROWS_INPUT,
	ROW_FULL_NAMES,
	ROWS_FORM("always the same columns; a cell is empty if its value is not known: "
		"function,calls,total_ns,self_ns,min_ns,avg_ns,max_ns,p50_ns,p99_ns,total_cpu_ns,total_off_ns,total_unknown_ns,self_cpu_ns,self_off_ns,self_preempted_ns,self_unknown_ns,total_recording_ns,total_error_ns,self_recording_ns,self_error_ns,samples,self_percent,self_low,self_high,total_percent,total,self,cut_calls. "
		"total and self are for sums whose unit is not time. cut_calls counts calls that lost events cut: how they went "
		"on is not known"),
	{"--folded", NULL, OPTION_FLAG, OPTION_AT(folded),
		"folded stacks for flame graphs; the weights are self times in nanoseconds. Of a path with more than 1,001 "
		"functions dwell writes the outermost 1,000, [...], and the innermost",
		.excludes = OPTION_EXCLUDES({"--csv --json --lines --sort --cpu --wall --limit",
			"--folded writes all paths: it goes with --thread only"})},
	{"--split", "FUNC", OPTION_TEXT, OPTION_AT(split.question.function),
		"samples: one function in detail, its code in intervals of bytes, each with its share; needs no debug information",
		.excludes = OPTION_EXCLUDES({"--folded --lines --sort --cpu --wall --limit",
			"--split shows one function: it goes with --intervals, --thread, --csv and --json only"})},
	PARAMETER_INTERVALS(OPTION_AT(split.intervals), .needs = {"--split", "--intervals: of which function? it goes with --split FUNC"}),
	{0}};

/* Checks the sort key before a large file is read. False and a diag: no report has this key. question_functions checks the key
 * again, for the data of the file: calls and samples have different keys. */
static bool check_any_sort(const char *key, struct diag *diag)
{
	if (analysis_functions_can_sort(key, true) || analysis_shares_can_sort(key))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "report: --sort '%s': expected one of %s; of samples, one of %s", key,
		analysis_functions_sort_keys(true), analysis_shares_sort_keys());
	return false;
}

static void write_folded(struct trace *trace)
{
	bool is_untimed = model_get_profile(trace->model)->is_untimed;
	struct table_sink sink = make_folded_writer(is_untimed ? "calls" : "self", stdout, "standard output", trace->diag);

	profile_answer(&question_tree, false, trace, &sink);
	free_folded_writer(&sink);
}

static void show_folded(struct options *options, struct trace *trace)
{
	const struct model_options model = {.want_profile = true,
		.raw = options->functions.question.raw,
		.no_durations = true,
		.thread = options->functions.question.thread};

	if (trace_read_model(trace, options->path, &model)) {
		write_folded(trace);
		health_warn(trace);
	}
	trace_close(trace);
}

static void show_split(struct options *options, struct trace *trace)
{
	struct answer answer = {
		.question = &options->split.question, .texts = &report_split_texts, .form = options->form, .full_names = true};

	options->split.question.thread = options->functions.question.thread;
	answer_show(&answer, trace, options->path);
}

static void write_exclude(const struct options *options, struct trace *trace)
{
	if (model_get_profile(trace->model)->is_net)
		exclude_write(trace, options->exclude);
	else
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "--write-exclude: the file does not say what recording it cost");
}

static void show_functions(struct options *options, struct trace *trace)
{
	struct question *question = &options->functions.question;
	struct answer answer = {
		.question = question, .texts = &report_texts, .form = options->form, .full_names = options->full_names};

	trace->skips_tree_warning = true;
	if (question_read(question, trace, options->path)) {
		answer_write(&answer, trace);
		if (options->exclude)
			write_exclude(options, trace);
		health_warn(trace);
	}
	question_clear(question);
	trace_close(trace);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options = {0};
	struct trace trace = {.diag = diag};

	question_begin(&options.functions.question, &question_functions);
	question_begin(&options.split.question, &question_split);
	options.functions.question.is_option = options.split.question.is_option = true;
	if (!option_read(&command_report, &options, "file", argc, argv, &options.path, diag) ||
		(options.functions.sort && !check_any_sort(options.functions.sort, diag)))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
	trace.jobs = options.jobs;
	(options.split.question.function ? show_split : options.folded ? show_folded : show_functions)(&options, &trace);
	return COMMAND_BY_DIAG;
}

const struct command command_report = {"report", "FILE", "Shows where the time went, function by function", rows, about, run,
	.task = TASK_LOOK,
	.examples = "  dwell report app.dwell                     functions by self time\n"
		    "  dwell report --sort total -n 20 app.dwell  20 functions by total time\n"};
