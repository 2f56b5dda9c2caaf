/* dwell tree: where the time went, call path by call path. */
#include <stdio.h>

#include "analysis/tree.h"
#include "cmd/command.h"
#include "cmd/option.h"
#include "cmd/output.h"
#include "cmd/summary.h"
#include "cmd/trace.h"
#include "writer/writer.h"

static const char help[] =
	"  --depth N      only N levels\n"
	"  --min PERCENT  leave out paths with less than that of the whole time\n"
	"  --thread T     only the thread of that name or number\n"
	"  --jobs N       threads that read the file: the processors there are; 1: one. The result is the same\n"
	"  --lines        where each function begins in the source, too\n"
	"  --csv          depth,function,calls,total_ns,self_ns; where the CPU time is known, total_cpu_ns behind total_ns, and self_cpu_ns\n"
	"                 behind self_ns\n"
	"  --json         the same as JSON\n"
	"\n"
	"A line for each path of calls, under its caller, the one with the largest total first. total is the time in the function when called\n"
	"on that path, with all it calls; self is total without what it calls. FILE as for dwell report.\n";

struct options {
	const char *path, *thread;
	enum writer_form form;
	uint64_t depth, jobs;
	double percent_min;
	bool lines;
};

/* False: a diag says why. */
static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	const struct option_row rows[] = {
		{"depth", OPTION_COUNT, &options->depth},
		{"min", OPTION_PERCENT, &options->percent_min},
		{"thread", OPTION_TEXT, &options->thread},
		{"jobs", OPTION_COUNT, &options->jobs},
		{"lines", OPTION_FLAG, &options->lines},
		{"csv", OPTION_CSV, &options->form},
		{"json", OPTION_JSON, &options->form},
	};

	*options = (struct options){.form = WRITER_TEXT, .depth = UINT64_MAX};
	return option_read(&command_tree, rows, sizeof rows / sizeof *rows, "file", argc, argv, &options->path, diag);
}

static void show(struct trace *trace, const struct options *options)
{
	const struct model_options model = {.want_profile = true, .no_durations = true, .thread = options->thread};
	struct analysis_tree tree = {.depth_limit = options->depth, .percent_min = options->percent_min};
	struct output_table out;

	if (!trace_open(trace, options->path, trace->diag) || !trace_make_model(trace, &model, false) || !trace_read(trace))
		return;
	tree.profile = model_get_profile(trace->model);
	tree.functions = model_get_functions(trace->model);
	tree.clock = model_get_clock(trace->model);
	if (options->form == WRITER_TEXT)
		summary_print(trace, stdout);
	out = output_begin_table(options->form, options->lines ? model_get_functions(trace->model) : NULL, trace->diag);
	if (!analysis_tree(&tree, &out.sink))
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "out of memory");
	output_end_table(&out);
	summary_warn(trace);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct trace trace = {.diag = diag};

	if (!read_options(argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	trace.jobs = options.jobs;
	show(&trace, &options);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_tree = {"tree", "[--depth N] [--min PERCENT] [--thread T] [--jobs N] [--lines] [--csv | --json] FILE",
	"Shows where the time went, call path by call path", help, run};
