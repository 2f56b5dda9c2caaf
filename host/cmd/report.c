/* dwell report: where the time went, function by function. */
#include <stdio.h>
#include <string.h>

#include "analysis/functions.h"
#include "analysis/tree.h"
#include "cmd/command.h"
#include "cmd/option.h"
#include "cmd/output.h"
#include "cmd/summary.h"
#include "cmd/trace.h"
#include "writer/folded.h"
#include "writer/writer.h"

static const char help[] =
	"  --sort KEY     by function, calls, total, self (the default), self_percent, min, avg, max, p50 or p99; where the CPU time is known,\n"
	"                 by total_cpu, total_off, self_cpu, self_off or self_preempted\n"
	"  --limit N      only the first N functions\n"
	"  --thread T     only the thread of that name or number\n"
	"  --jobs N       threads that read the file: the processors there are; 1: one. The result is the same\n"
	"  --lines        where each function begins in the source, too\n"
	"  --csv          function,calls,total_ns,self_ns,min_ns,avg_ns,max_ns,p50_ns,p99_ns; behind total_ns and self_ns, where the CPU time is\n"
	"                 known, total_cpu_ns,total_off_ns and self_cpu_ns,self_off_ns,self_preempted_ns\n"
	"  --json         the same as JSON\n"
	"  --folded       folded stacks, for flame graphs: weights are self times in nanoseconds\n"
	"\n"
	"FILE is a trace of dwell record, or folded stacks (functions with total and self in the file's unit); - is standard input.\n"
	"\n"
	"total is the time in a function and all it calls; where it calls itself, that is not counted twice. self is total without what it\n"
	"calls. min, avg, max, p50 and p99 are of single calls, entry to exit; a ~ marks those of functions none of whose calls is complete\n"
	"(still running at the end, begun before the recording): they are lower bounds. Percentiles are within 3 % of the true value.\n"
	"\n"
	"cpu is the part of it in which the thread was on a CPU, off the part in which it waited for something, or, preempted, for a CPU. A ~\n"
	"marks what is not known for all of the time: cpu was no more, off no less.\n"
	"\n"
	"For each thread, self of all functions + time lost + time outside of any function = its last event - its first.\n";

struct options {
	const char *path, *sort, *thread;
	enum writer_form form;
	uint64_t limit, jobs;
	bool folded, lines;
};

static bool check_sort(const char *key, bool has_times, struct diag *diag)
{
	if (analysis_functions_can_sort(key, has_times))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "report: --sort '%s': expected one of %s", key,
		analysis_functions_sort_keys(has_times));
	return false;
}

/* False: a diag says why. */
static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	const struct option_row rows[] = {
		{"sort", OPTION_TEXT, &options->sort},
		{"limit", OPTION_COUNT, &options->limit},
		{"thread", OPTION_TEXT, &options->thread},
		{"jobs", OPTION_COUNT, &options->jobs},
		{"lines", OPTION_FLAG, &options->lines},
		{"csv", OPTION_CSV, &options->form},
		{"json", OPTION_JSON, &options->form},
		{"folded", OPTION_FLAG, &options->folded},
	};

	*options = (struct options){.form = WRITER_TEXT, .limit = UINT64_MAX};
	if (!option_read(&command_report, rows, sizeof rows / sizeof *rows, "file", argc, argv, &options->path, diag))
		return false;
	if (options->sort && !check_sort(options->sort, true, diag)) /* before a large file is read; folded stacks have fewer columns */
		return false;
	if (options->folded && (options->form != WRITER_TEXT || options->lines || options->sort || options->limit != UINT64_MAX)) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "report: --folded writes all paths: it goes with --thread only");
		return false;
	}
	return true;
}

static bool write_folded(const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct analysis_tree tree = {.profile = profile,
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.depth_limit = UINT64_MAX};
	struct table_sink sink =
		make_folded_writer(profile->has_times ? "self_ns" : "self", stdout, "standard output", trace->diag);
	bool good = analysis_tree(&tree, &sink);

	free_folded_writer(&sink);
	return good;
}

static bool write_table(const struct trace *trace, const struct options *options)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct analysis_functions functions = {.profile = profile,
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.sort = options->sort,
		.limit = options->limit};
	struct output_table out;
	bool good;

	if (options->sort && !check_sort(options->sort, profile->has_times, trace->diag))
		return true;
	if (options->sort && profile->has_times && !profile->has_off && analysis_functions_needs_cpu(options->sort)) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "--sort '%s': its CPU time is not known%s%s", options->sort,
			*model_get_cpu_problem(trace->model) ? ": " : "", model_get_cpu_problem(trace->model));
		return true;
	}
	if (options->form == WRITER_TEXT)
		summary_print(trace, stdout);
	out = output_begin_table(options->form, options->lines ? model_get_functions(trace->model) : NULL, trace->diag);
	good = analysis_functions(&functions, &out.sink);
	output_end_table(&out);
	if (options->form == WRITER_TEXT && profile->has_times && profile->function_count && !diag_has_error(trace->diag))
		fputs("\np50 and p99 are within 3 %.\n", stdout);
	return good;
}

static void report(struct trace *trace, const struct options *options)
{
	const struct model_options model = {.want_profile = true,
		.no_tree = !options->folded,
		.no_durations = options->folded,
		.thread = options->thread};

	if (!trace_open(trace, options->path, trace->diag) || !trace_make_model(trace, &model, false) || !trace_read(trace))
		return;
	if (!(options->folded ? write_folded(trace) : write_table(trace, options)))
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "out of memory");
	summary_warn(trace);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct trace trace = {.diag = diag};

	if (!read_options(argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	trace.jobs = options.jobs;
	report(&trace, &options);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_report = {"report", "[--sort KEY] [--limit N] [--thread T] [--jobs N] [--lines] [--csv | --json | --folded] FILE",
	"Shows where the time went, function by function", help, run};
