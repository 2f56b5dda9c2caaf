/* dwell tree: where the time went, call path by call path. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cli/ordered_by.h"
#include "query/health.h"
#include "query/question.h"
#include "writer/writer.h"

static const char about[] =
	"A line for each path of calls, under its caller, the one with the largest total\n"
	"first. total is the time in the function when called on that path, with all it\n"
	"calls; self is total without what it calls. FILE as for dwell report.\n";

struct options {
	struct input_options input;
	const char *path, *thread;
	enum writer_form form;
	uint64_t limit, depth, jobs;
	double percent_min;
	bool lines, inlines, full_names, raw;
	enum by by;
};

static const struct option_row rows[] = {
	ROWS_BY(HELP_BY_OF_SUMS),
	ROW_LIMIT("lines"),
	{"--depth", "N", OPTION_COUNT, OPTION_AT(depth), "only N levels"},
	{"--min", "PERCENT", OPTION_NUMBER, OPTION_AT(percent_min),
		"leave out paths with less than that of the whole time", .high = 100},
	ROWS_READING,
	ROW_LINES,
	ROW_INLINES,
	ROW_FULL_NAMES,
	ROW_RAW,
	ROWS_FORM("depth,function,calls,total_ns,total_cpu_ns,total,self_ns,self_cpu_ns,self. Always all of these; a cell is empty where "
		  "nothing is known. total and self are for samples and folded stacks, whose calls nobody counted"),
	{0}};

static void show(struct trace *trace, const struct options *options)
{
	struct question question = {.kind = QUESTION_TREE,
		.thread = options->thread,
		.by = options->by,
		.limit = options->limit,
		.depth_limit = options->depth,
		.percent_min = options->percent_min,
		.raw = options->raw,
		.inlines = options->inlines};
	struct output_table out;
	bool is_cpu;

	if (!question_read(&question, trace, options->path))
		return;
	if (options->form == WRITER_TEXT) {
		is_cpu = by_is_cpu(options->by, model_get_profile(trace->model));
		summary_print(trace, stdout);
		ordered_by_print(trace, is_cpu ? "total cpu" : "total wall", is_cpu ? BY_CPU : BY_WALL);
	}
	out = output_begin_table(options->form, model_get_clock(trace->model),
		options->lines ? model_get_functions(trace->model) : NULL, options->full_names, trace->diag);
	question_write(&question, trace, &out.sink);
	output_end_table(&out);
	health_warn(trace);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options = {.limit = UINT64_MAX, .depth = UINT64_MAX};
	struct trace trace = {.diag = diag};

	if (!option_read(&command_tree, &options, "file", argc, argv, &options.path, diag))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
	trace.jobs = options.jobs;
	show(&trace, &options);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_tree = {
	"tree", "FILE", "Shows where the time went, call path by call path", rows, about, run};
