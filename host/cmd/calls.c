/* dwell calls: every call, one by one. */
#include <stdio.h>
#include <string.h>

#include "analysis/calls/call_filter.h"
#include "cli/command.h"
#include "cli/option.h"
#include "cli/output.h"
#include "cli/summary.h"
#include "cli/which.h"
#include "query/call_list.h"
#include "query/trace.h"
#include "writer/writer.h"

static const char help[] =
	"  --function F   only calls of that function: a name as dwell report shows it,\n"
	"                 or without its C++ arguments; * is any text, unless that is\n"
	"                 a function's name: parse(char const*)\n"
	"  --longer T     only calls that took at least that long: 20us, 1.5ms, 2s\n"
	"  --cpu, --wall  by time on the CPU, without what the call waited or was\n"
	"                 preempted for; or by the clock, the default\n"
	"  --from T       only calls that were running then or later, since the recording\n"
	"                 began; what lies before is not read, so that the CPU time of\n"
	"                 calls that were running then, or are at the end of --to, is not\n"
	"                 known\n"
	"  --to T         only calls that were running then or earlier\n"
	"  --depth N      only N levels: depths 0 to N - 1\n"
	"  --order ORDER  entry (the default): by the time of entry; the file is read\n"
	"                 twice, once where few calls are asked for. exit: as the\n"
	"                 threads' data tells them, by the time of exit within each\n"
	"                 thread; it may be read from a pipe\n"
	OPTION_HELP_LIMIT("of these calls")
	OPTION_HELP_THREAD
	"  --jobs N       threads that read and write: the processors there are; 1: one.\n"
	"                 The result is the same\n"
	INPUT_NAMES_HELP
	OPTION_HELP_LINES
	OPTION_HELP_NAMES
	"  --args         arguments and what was returned, where dwell record --args\n"
	"                 recorded them. Types are not known: these are the first integer\n"
	"                 registers, as many as were recorded, whether the function takes\n"
	"                 them or not; small numbers are shown as signed decimals, others\n"
	"                 in hex (an int that is -5 may be 0xfffffffb); floating point is\n"
	"                 not in them. Of a NITRO call trace: those of r0 to r3 that it\n"
	"                 keeps, ? for others, and lr, whose digits dwell names knows\n"
	"  --csv          thread,depth,function,enter_ns,total_ns,total_cpu_ns,\n"
	"                 total_off_ns,self_ns,self_cpu_ns,self_off_ns,note (no entry,\n"
	"                 unwound, lost, open); with --args arg1,...,arg6,ret,lr behind\n"
	"                 that, in hex. Empty: not known\n"
	OPTION_HELP_JSON
	"\n"
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
	OPTION_HELP_AS_RECORDED;

struct options {
	struct input_options input;
	const char *path, *thread, *order, *function;
	enum writer_form form;
	uint64_t limit, jobs;
	bool by_exit, lines, args, full_names;
	enum by by;
	struct call_filter filter;
};

static bool read_order(const char *text, struct options *options, struct diag *diag)
{
	options->by_exit = !strcmp(text, "exit");
	if (options->by_exit || !strcmp(text, "entry"))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "calls: --order '%s': expected entry or exit", text);
	return false;
}

/* False: a diag says why. */
static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	const struct option_row rows[] = {
		{"function", OPTION_TEXT, &options->function},
		{"longer", OPTION_DURATION, &options->filter.longer_ns},
		{"cpu", OPTION_CPU, &options->by},
		{"wall", OPTION_WALL, &options->by},
		{"from", OPTION_MOMENT, &options->filter.from_ns},
		{"to", OPTION_MOMENT, &options->filter.to_ns},
		{"depth", OPTION_COUNT, &options->filter.depth_limit},
		{"order", OPTION_TEXT, &options->order},
		{"limit", OPTION_COUNT, &options->limit, 'n'},
		{"thread", OPTION_TEXT, &options->thread},
		{"jobs", OPTION_COUNT, &options->jobs},
		INPUT_ROWS(&options->input),
		{"lines", OPTION_FLAG, &options->lines},
		{"args", OPTION_FLAG, &options->args},
		{"full-names", OPTION_FLAG, &options->full_names},
		{"csv", OPTION_CSV, &options->form},
		{"json", OPTION_JSON, &options->form},
	};

	*options = (struct options){.form = WRITER_TEXT, .limit = UINT64_MAX, .filter = call_filter_all()};
	if (!option_read(&command_calls, rows, sizeof rows / sizeof *rows, "file", argc, argv, &options->path, diag))
		return false;
	if (options->by != BY_BEST && !options->filter.longer_ns) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "calls: --%s: tells by which time calls are --longer than T",
			options->by == BY_CPU ? "cpu" : "wall");
		return false;
	}
	options->filter.longer_on_cpu = options->by == BY_CPU;
	if (options->filter.to_ns < options->filter.from_ns) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "calls: --to is before --from");
		return false;
	}
	return !options->order || read_order(options->order, options, diag);
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
	list.by_exit = options.by_exit;
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
			summary_warn(&trace);
		}
	}
	if (shown.has_out)
		output_end_table(&shown.out);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

static const char *get_values(const char *option)
{
	return !strcmp(option, "--order") ? "entry, exit" : NULL;
}

const struct command command_calls = {"calls",
	"[--function F] [--longer T [--cpu | --wall]] [--from T] [--to T] [--depth N] [--thread T] [--jobs N] " INPUT_NAMES_ARGUMENTS "[--order ORDER] [--limit N]"
	" [--lines] [--full-names] [--args] [--csv | --json] FILE",
	"Lists the calls one by one, in order of time", help, run, get_values};
