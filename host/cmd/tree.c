/* dwell tree: where the time went, call path by call path. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/option.h"
#include "cli/output.h"
#include "cli/summary.h"
#include "cli/which.h"
#include "query/question.h"
#include "writer/writer.h"

static const char help[] =
	WHICH_HELP
	OPTION_HELP_LIMIT("lines")
	"  --depth N      only N levels\n"
	"  --min PERCENT  leave out paths with less than that of the whole time\n"
	OPTION_HELP_THREAD
	OPTION_HELP_JOBS
	INPUT_NAMES_HELP
	OPTION_HELP_LINES
	INLINED_HELP
	OPTION_HELP_NAMES
	OPTION_HELP_RAW
	"  --csv          depth,function,calls,total_ns,total_cpu_ns,total,self_ns,\n"
	"                 self_cpu_ns,self. Always all of these; a cell is empty where\n"
	"                 nothing is known. total and self are for samples and folded\n"
	"                 stacks, whose calls nobody counted\n"
	OPTION_HELP_JSON
	"\n"
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

/* False: a diag says why. */
static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	const struct option_row rows[] = {
		{"cpu", OPTION_CPU, &options->by},
		{"wall", OPTION_WALL, &options->by},
		{"limit", OPTION_COUNT, &options->limit, 'n'},
		{"depth", OPTION_COUNT, &options->depth},
		{"min", OPTION_PERCENT, &options->percent_min},
		{"thread", OPTION_TEXT, &options->thread},
		{"jobs", OPTION_COUNT, &options->jobs},
		INPUT_ROWS(&options->input),
		{"lines", OPTION_FLAG, &options->lines},
		{"inlines", OPTION_FLAG, &options->inlines},
		{"full-names", OPTION_FLAG, &options->full_names},
		{"raw", OPTION_FLAG, &options->raw},
		{"csv", OPTION_CSV, &options->form},
		{"json", OPTION_JSON, &options->form},
	};

	*options = (struct options){.form = WRITER_TEXT, .limit = UINT64_MAX, .depth = UINT64_MAX};
	return option_read(&command_tree, rows, sizeof rows / sizeof *rows, "file", argc, argv, &options->path, diag);
}

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
		which_print(trace, is_cpu ? "total cpu" : "total wall", is_cpu ? BY_CPU : BY_WALL);
	}
	out = output_begin_table(options->form, model_get_clock(trace->model),
		options->lines ? model_get_functions(trace->model) : NULL, options->full_names, trace->diag);
	question_write(&question, trace, &out.sink);
	output_end_table(&out);
	summary_warn(trace);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct trace trace = {.diag = diag};

	if (!read_options(argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
	trace.jobs = options.jobs;
	show(&trace, &options);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_tree = {"tree", "[--cpu | --wall] [--limit N] [--depth N] [--min PERCENT] [--thread T] [--jobs N] " INPUT_NAMES_ARGUMENTS "[--lines] [--inlines] [--full-names] [--raw] [--csv | --json] FILE",
	"Shows where the time went, call path by call path", help, run};
