/* dwell report: where the time went, function by function. */
#include <stdio.h>

#include "analysis/functions.h"
#include "analysis/off_cpu_columns.h"
#include "analysis/shares.h"
#include "cli/answer.h"
#include "cli/command.h"
#include "cli/exclude.h"
#include "cli/ordered_by.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cmd/report/split.h"
#include "cmd/report/table.h"
#include "query/ask/groups.h"
#include "query/ask/profile.h"
#include "query/ask/split.h"
#include "query/ask/times.h"
#include "query/health.h"
#include "query/questions.h"
#include "writer/export/folded.h"
#include "writer/writer.h"

static const char about[] =
	"FILE is a trace of dwell record; or sums of another tool (total and self are in\n"
	"the file's unit): folded stacks, or a pprof profile. - is standard input.\n"
	"Without FILE dwell reads the newest recording (*.dwell) in this folder, and says\n"
	"which one.\n"
	"\n"
	"total is the time in a function and all that it calls, not counted twice if it\n"
	"calls itself. self is total without what it calls. min, avg, max, p50 and p99\n"
	"are of single calls, entry to exit, as recorded; percentiles are within 3 %. A ~\n"
	"marks functions without a complete call (still running at the end, begun before\n"
	"the recording): these are lower bounds.\n"
	"\n"
	"cpu is the part of a time in which the thread was on a CPU. off is the rest:\n"
	"waiting, for example for a lock, or preempted, able to run while another thread\n"
	"had the CPU. wall is all of this, and so are min to p99. Time for which this is\n"
	"not known is in neither; a ~ marks these bounds.\n"
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
	struct groups_question groups;
	struct times_question times;
};

static const struct option_row rows[] = {
	{.kind = OPTION_ROWS, .at = OPTION_AT(functions), .rows = functions_parameters},
	PARAMETER_GROUP(OPTION_AT(groups.group),
		.excludes = OPTION_EXCLUDES({"--folded --split --sort --lines --write-exclude",
			"--group shows sums: it goes with --limit, --thread, --time, --cpu, --wall, --raw, --csv and --json only"})),
	PARAMETER_TIMES_FROM(OPTION_AT(times.samples),
		.excludes = OPTION_EXCLUDES({"--group --write-exclude --folded --split --cpu --wall --raw --time",
			"--times-from shows shares: it goes with --sort, --limit, --thread, --lines, --csv and --json only"})),
	{"--write-exclude", "LIST", OPTION_FILE, OPTION_AT(exclude),
		"write a list for dwell record --not @LIST: functions that are so short and called so often that they cause much "
		"of the recording cost, and those that --throttle found",
		.excludes = OPTION_EXCLUDES({"--raw --folded --split --thread --time",
			"--write-exclude goes by what recording cost all threads: not with --raw, --folded, --split, "
			"--thread and --time"})},
	ROW_JOBS,
	ROWS_INPUT,
	ROW_FULL_NAMES,
	ROWS_FORM("always the same columns; a cell is empty if its value is not known: "
		"function,calls,total_ns,self_ns,min_ns,avg_ns,max_ns,p50_ns,p99_ns,total_cpu_ns,total_off_ns,total_unknown_ns,self_cpu_ns,self_off_ns,self_preempted_ns,self_unknown_ns,total_recording_ns,total_error_ns,self_recording_ns,self_error_ns,samples,self_percent,self_low,self_high,total_percent,total,self,cut_calls,total_waiting_ns,total_preempted_ns,self_waiting_ns,self_per_call_ns," FAULT_KEYS ". "
		"total and self are for sums whose unit is not time. cut_calls counts calls that lost events cut: how they went "
		"on is not known"),
	{"--folded", NULL, OPTION_FLAG, OPTION_AT(folded),
		"folded stacks for flame graphs; the weights are self times in nanoseconds. Of a path with more than 1,001 "
		"functions dwell writes the outermost 1,000, [...], and the innermost",
		.excludes = OPTION_EXCLUDES({"--csv --json --lines --sort --cpu --wall --limit",
			"--folded writes all paths: it goes with --thread and --time only"})},
	{"--split", "FUNC", OPTION_TEXT, OPTION_AT(split.question.function),
		"samples: one function in detail, its code in intervals of bytes, each with its share; needs no debug information",
		.excludes = OPTION_EXCLUDES({"--folded --lines --sort --cpu --wall --limit",
			"--split shows one function: it goes with --intervals, --thread, --time, --csv and --json only"})},
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

static void print_groups_head(const struct trace *trace, const struct question *question)
{
	bool is_cpu = by_is_cpu(question->by, model_get_profile(trace->model));

	summary_print(trace, stdout);
	ordered_by_print(trace, is_cpu ? "self cpu" : "self wall", is_cpu ? BY_CPU : BY_WALL);
}

static void show_groups(struct options *options, struct trace *trace)
{
	static const struct answer_texts texts = {.print_head = print_groups_head, .row = "group"};
	const struct question *told = &options->functions.question;
	struct question *question = &options->groups.question;
	struct answer answer = {.question = question, .texts = &texts, .form = options->form, .full_names = true};

	question->thread = told->thread;
	question->span = told->span;
	question->by = told->by;
	question->limit = told->limit;
	question->raw = told->raw;
	answer_show(&answer, trace, options->path);
}

static void print_times_head(const struct trace *trace, const struct question *question)
{
	summary_print(trace, stdout);
	puts("times:");
	summary_print(&((const struct times_question *)question)->sampled, stdout);
}

/* Prints below the table what its columns mean, and how much of the time is in functions that were not traced. */
static void print_times_foot(const struct trace *trace, const struct question *question, const struct output_table *table)
{
	const struct joined *joined = &((const struct times_question *)question)->joined;
	const struct profile *profile = joined->profile;

	(void)trace;
	printf("\nCalls are of the trace; samples, self %%, from, to and total %% are of the samples%s.\n",
		output_shows(table, "self/call") ? "; self/call is the time of the samples by the calls of the trace" : "");
	puts("In 95 of 100 runs the true share is between from and to. A sample counts for the innermost function that the trace has.");
	if (joined->traced_weight < profile->total)
		printf("Rows without calls are functions that the trace does not have: %.2f %% of the time.\n",
			100 - 100 * (double)joined->traced_weight / (double)profile->total);
}

static void show_times(struct options *options, struct trace *trace)
{
	static const struct answer_texts texts = {.print_head = print_times_head, .print_foot = print_times_foot, .row = "function"};
	const struct profile_question *told = &options->functions;
	struct question *question = &options->times.question;
	struct answer answer = {.question = question, .texts = &texts, .form = options->form, .full_names = options->full_names};

	question->thread = told->question.thread;
	question->limit = told->question.limit;
	question->lines = told->question.lines;
	options->times.sort = told->sort;
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
	question_begin(&options.groups.question, &question_groups);
	question_begin(&options.times.question, &question_times);
	options.groups.group = NULL;
	options.functions.question.is_option = options.split.question.is_option = options.groups.question.is_option =
		options.times.question.is_option = true;
	if (!option_read_file(&command_report, &options, argc, argv, &options.path, diag) ||
		(options.functions.sort && !check_any_sort(options.functions.sort, diag)))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
	trace.jobs = options.jobs;
	trace.span = options.functions.question.span;
	(options.split.question.function ? show_split
		: options.groups.group   ? show_groups
		: options.times.samples  ? show_times
		: options.folded         ? show_folded
					 : show_functions)(&options, &trace);
	return COMMAND_BY_DIAG;
}

const struct command command_report = {"report", "[FILE]", "Shows where the time went, function by function", rows, about, run,
	.task = TASK_LOOK,
	.examples = "  dwell report app.dwell                     functions by self time\n"
		    "  dwell report --sort total -n 20 app.dwell  20 functions by total time\n"};
