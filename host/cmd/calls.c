/* dwell calls: every call, one by one. */
#include <stdio.h>
#include <string.h>

#include "analysis/calls/call_filter.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "query/call_list.h"
#include "query/health.h"
#include "query/trace.h"
#include "writer/writer.h"

static const char about[] =
	"thread is the thread's name where no other one has it, else its number, and\n"
	"number/stream where that was used again. From a pipe, where names and numbers\n"
	"that come later are not known, what is known when its first call is shown. enter\n"
	"is the time since the recording began. depth 0 is outermost. A ~ marks times\n"
	"that are not known exactly: the call began before the recording, ended among\n"
	"records that are lost, or was still running at the end; its total is then a\n"
	"lower bound. If lost events hide which calls were open, depth begins at 0 again\n"
	"behind them. A call that went on there is found at its exit, and has depth 0 as\n"
	"well; dwell tree shows what it called below it. cpu is the part of a time in\n"
	"which the thread was on a CPU; off, the rest, is in --csv and --json. Both are\n"
	"absent where that is not known for all of the time.\n"
	ABOUT_AS_RECORDED;

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
		"only calls of that function: a name as dwell report shows it, or without its C++ arguments; * is any text, unless "
		"that is a function's name: parse(char const*)"},
	{"--longer", "T", OPTION_DURATION, OPTION_AT(filter.longer_ns), "only calls that took at least that long: 20us, 1.5ms, 2s"},
	ROWS_BY("by time on the CPU, without what the call waited or was preempted for; or by the clock, the default", NEEDS_LONGER),
	{"--from", "T", OPTION_MOMENT, OPTION_AT(filter.from_ns),
		"only calls that were running then or later, since the recording began; what lies before is not read, so that the "
		"CPU time of calls that were running then, or are at the end of --to, is not known"},
	{"--to", "T", OPTION_MOMENT, OPTION_AT(filter.to_ns), "only calls that were running then or earlier"},
	{"--depth", "N", OPTION_COUNT, OPTION_AT(filter.depth_limit), "only N levels: depths 0 to N - 1"},
	{"--order", "ORDER", OPTION_CHOICE, OPTION_AT(order),
		"entry (the default): by the time of entry; the file is read twice, once where few calls are asked for. exit: as "
		"the threads' data tells them, by the time of exit within each thread; it may be read from a pipe",
		.choices = "entry or exit"},
	ROW_LIMIT("of these calls"),
	ROW_THREAD,
	{"--jobs", "N", OPTION_COUNT, OPTION_AT(jobs),
		"threads that read and write: the processors there are; 1: one. The result is the same"},
	ROWS_INPUT,
	ROW_LINES,
	ROW_FULL_NAMES,
	{"--args", NULL, OPTION_FLAG, OPTION_AT(args),
		"arguments and what was returned, where dwell record --args recorded them. Types are not known: these are the "
		"first integer registers, as many as were recorded, whether the function takes them or not; small numbers are "
		"shown as signed decimals, others in hex (an int that is -5 may be 0xfffffffb); floating point is not in them. Of "
		"a NITRO call trace: those of r0 to r3 that it keeps, ? for others, and lr, whose digits dwell names knows"},
	ROWS_FORM("thread,depth,function,enter_ns,total_ns,total_cpu_ns,total_off_ns,self_ns,self_cpu_ns,self_off_ns,note (no entry, unwound, "
		  "lost, open); with --args arg1,...,arg6,ret,lr behind that, in hex. Empty: not known"),
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
	struct call_list *list;
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
	shown->list->writer = &shown->out.writer;
	return &shown->out.sink;
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
	list.lines = options.lines;
	shown.list = &list;
	trace.wants_values = options.args;
	trace.input = options.input;
	trace.jobs = options.jobs;
	if (trace_open(&trace, options.path, diag)) {
		call_list_write(&list, &trace);
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

const struct command command_calls = {"calls", "FILE", "Lists the calls one by one, in order of time", rows, about, run};
