/* dwell calls: every call, one by one. */
#include <stdio.h>
#include <string.h>

#include "analysis/calls/call_filter.h"
#include "analysis/calls/call_values.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "query/call_list.h"
#include "query/health.h"
#include "query/trace.h"
#include "writer/writer.h"

static const char about[] =
	"thread is the thread's name if it is unique, else its number, or number/stream\n"
	"if that number was used again. From a pipe dwell shows the name or number that\n"
	"is known at the thread's first call. enter is the time since the recording\n"
	"began. depth 0 is outermost.\n"
	"\n"
	"A ~ marks a lower bound: the call began before the recording, ended where events\n"
	"were lost, or was still running at the end. Behind lost events that hide which\n"
	"calls were open, depth begins at 0 again. A call that went on there is listed at\n"
	"its exit, also with depth 0; dwell tree shows what it called below it.\n"
	"\n"
	"cpu is the part of a time in which the thread was on a CPU; off, the rest, is in\n"
	"--csv and --json. Both are empty if unknown for any part of the time.\n" ABOUT_AS_RECORDED ABOUT_CLOCK_STEP;

struct options {
	struct input_options input;
	const char *path, *thread, *order, *function;
	enum writer_form form;
	uint64_t limit, jobs;
	bool lines, args, full_names;
	enum by by;
	struct call_filter filter;
};

#define NEEDS_LONGER .needs = {"--longer", "it tells by which time calls are that long"}
static const struct option_row rows[] = {
	{"--function", "F", OPTION_TEXT, OPTION_AT(function),
		"only calls of function F: its name as dwell report shows it, or without its C++ arguments; * matches any text, "
		"unless a function has exactly that name: parse(char const*)"},
	{"--longer", "T", OPTION_DURATION, OPTION_AT(filter.longer_ns), "only calls that took at least T: 20us, 1.5ms, 2s"},
	ROWS_BY("by CPU time, or by wall-clock time with waiting and preemption (the default)", NEEDS_LONGER),
	{"--from", "T", OPTION_MOMENT, OPTION_AT(filter.from_ns),
		"only calls that were running at T or later; T counts from the start of the recording"},
	{"--to", "T", OPTION_MOMENT, OPTION_AT(filter.to_ns), "only calls that were running at T or earlier"},
	{"--depth", "N", OPTION_COUNT, OPTION_AT(filter.depth_limit), "only N levels: depths 0 to N - 1", .low = 1},
	{"--order", "ORDER", OPTION_CHOICE, OPTION_AT(order),
		"entry (the default): by time of entry; dwell reads the file twice, or once if few calls are asked for. exit: by "
		"time of exit within each thread; works from a pipe",
		.choices = "entry or exit"},
	ROW_LIMIT("of these calls"),
	ROW_THREAD,
	{"--jobs", "N", OPTION_COUNT, OPTION_AT(jobs),
		"use N threads (default: one per processor); the result is the same", .low = 1},
	ROWS_INPUT,
	ROW_LINES,
	ROW_FULL_NAMES,
	{"--args", NULL, OPTION_FLAG, OPTION_AT(args),
		"show arguments and return values that dwell record --args recorded. Types are not known: dwell shows the first "
		"integer registers, whether or not the function takes them. Small numbers are signed decimals, others hex (an "
		"int of -5 may be 0xfffffffb); floating point is not recorded. NITRO call traces: those of r0 to r3 that the "
		"trace keeps, ? for others, and lr, which dwell names resolves"},
	ROWS_FORM("columns: thread,depth,function,enter_ns,total_ns,total_cpu_ns,total_off_ns,self_ns,self_cpu_ns,self_off_ns,note (no "
		"entry, unwound, lost, open); with --args also arg1,...,arg6,ret,lr in hex. A cell is empty if its value is not "
		"known"),
	{0}};

/* False: a diag says why. */
static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	*options = (struct options){.limit = UINT64_MAX, .filter = call_filter_all()};
	if (!option_read(&command_calls, options, "file", argc, argv, &options->path, diag))
		return false;
	options->filter.longer_on_cpu = options->by == BY_CPU;
	return options->filter.to_ns >= options->filter.from_ns || option_refuse(&command_calls, "--to is before --from", diag);
}

/* Where the rows go. */
struct shown {
	const struct options *options;
	struct output_table out;
	bool has_out;
};

static const struct table_sink *begin_table(void *context, struct trace *trace)
{
	struct shown *shown = context;
	struct functions *functions = shown->options->lines ? model_get_functions(trace->model) : NULL;

	shown->out = output_begin_table(
		shown->options->form, model_get_clock(trace->model), functions, shown->options->full_names, trace->diag);
	shown->has_out = true;
	return &shown->out.sink;
}

static void tell_values(const struct call_list *list, const struct trace *trace, enum writer_form form)
{
	if (!list->args || !list->count)
		return;
	if (!list->have_values)
		diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET, CALL_VALUES_NONE);
	else if (form == WRITER_TEXT)
		puts("\n" CALL_VALUES_FOOT);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct trace trace = {.diag = diag};
	struct shown shown = {.options = &options};
	struct call_list list = {.begin = begin_table, .context = &shown};

	if (!read_options(argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	list.function = options.function;
	list.thread = options.thread;
	list.filter = options.filter;
	list.by = options.by;
	list.limit = options.limit;
	list.by_exit = options.order && !strcmp(options.order, "exit");
	list.args = options.args;
	trace.wants_values = options.args;
	trace.input = options.input;
	trace.jobs = options.jobs;
	if (trace_open(&trace, options.path, diag)) {
		call_list_write(&list, &trace);
		tell_values(&list, &trace, options.form);
		if (trace.model) {
			summary_note_counted(&trace);
			health_warn(&trace);
		}
	}
	if (shown.has_out)
		output_end_table(&shown.out);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_calls = {"calls", "FILE", "Lists single calls in order of time", rows, about, run,
	.task = TASK_LOOK,
	.examples = "  dwell calls --longer 1ms app.dwell      calls of at least a millisecond\n"
		    "  dwell calls --function parse app.dwell  each call of parse\n"};
