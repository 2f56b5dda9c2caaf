/* dwell tree: where the time went, call path by call path. */
#include <stdio.h>

#include "cli/answer.h"
#include "cli/command.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cli/ordered_by.h"

static const char about[] =
	"Each call path has one line, below its caller's; the largest total comes first.\n"
	"total is the time in the function when called on that path, with all that it\n"
	"calls; self is total without what it calls. FILE is as for dwell report.\n";

struct options {
	struct input_options input;
	const char *path, *thread;
	enum writer_form form;
	uint64_t limit, depth, jobs;
	double percent_min;
	bool lines, full_names, raw;
	enum by by;
};

static const struct option_row rows[] = {
	ROWS_BY(HELP_BY_OF_SUMS),
	ROW_LIMIT("lines"),
	{"--depth", "N", OPTION_COUNT, OPTION_AT(depth), "only N levels", .low = 1},
	{"--min", "PERCENT", OPTION_NUMBER, OPTION_AT(percent_min),
		"leave out paths with less than PERCENT of the whole time", .high = 100},
	ROWS_READING,
	ROW_LINES,
	ROW_FULL_NAMES,
	ROW_RAW,
	ROWS_FORM("columns: depth,function,calls,total_ns,total_cpu_ns,total,self_ns,self_cpu_ns,self. A cell is empty if its value is "
		"not known. total and self are for samples and folded stacks"),
	{0}};

static void print_head(const struct trace *trace, const struct question *question)
{
	bool is_cpu = by_is_cpu(question->by, model_get_profile(trace->model));

	summary_print(trace, stdout);
	ordered_by_print(trace, is_cpu ? "total cpu" : "total wall", is_cpu ? BY_CPU : BY_WALL, false);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options = {.limit = UINT64_MAX, .depth = UINT64_MAX};
	struct trace trace = {.diag = diag};
	struct answer answer = {.print_head = print_head};

	if (!option_read(&command_tree, &options, "file", argc, argv, &options.path, diag))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
	trace.jobs = options.jobs;
	answer.form = options.form;
	answer.lines = options.lines;
	answer.full_names = options.full_names;
	answer.question = (struct question){.kind = QUESTION_TREE,
		.thread = options.thread,
		.by = options.by,
		.limit = options.limit,
		.depth_limit = options.depth,
		.percent_min = options.percent_min,
		.raw = options.raw};
	answer_show(&answer, &trace, options.path);
	return COMMAND_BY_DIAG;
}

const struct command command_tree = {"tree", "FILE", "Shows where the time went, call path by call path", rows, about, run,
	.task = TASK_LOOK,
	.examples = "  dwell tree app.dwell                    all call paths\n"
		    "  dwell tree --min 1 --depth 8 app.dwell  only large paths, eight levels\n"};
