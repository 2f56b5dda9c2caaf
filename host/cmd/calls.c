/* dwell calls: every call, one by one. */
#include <stdio.h>
#include <string.h>

#include "analysis/calls/call_filter.h"
#include "analysis/calls/calls.h"
#include "cli/command.h"
#include "cli/option.h"
#include "cli/output.h"
#include "cli/summary.h"
#include "cli/which.h"
#include "model/entry_order.h"
#include "query/again.h"
#include "query/ask.h"
#include "query/calls_thread.h"
#include "query/parallel/harvest.h"
#include "query/parallel/listing.h"
#include "query/part.h"
#include "query/trace.h"
#include "util/progress.h"
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

struct show {
	struct trace *trace;
	const struct options *options;
	struct call_filter filter;
	struct part part;
	struct output_table out;
	bool has_out;
	struct calls *calls;
	struct progress progress;
	struct calls_thread *thread; /* null: rows are written at once */
	uint64_t rows;
};

static bool begin_table(struct show *show)
{
	struct functions *functions = show->options->lines ? model_get_functions(show->trace->model) : NULL;

	show->out = output_begin_table(show->options->form, model_get_clock(show->trace->model),
		functions, show->options->full_names, show->trace->diag);
	show->has_out = true;
	show->calls = make_calls(show->trace->model, &show->out.sink, show->options->limit, show->options->args,
		show->trace->has_switches || model_has_switches(show->trace->model));
	if (!show->calls)
		diag_add(show->trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return show->calls;
}

/* The functions that are meant, once there are any to choose from. */
static bool begin_filter(struct show *show)
{
	show->filter = show->options->filter;
	if (!show->options->function)
		return true;
	show->filter.pattern = make_pattern(show->options->function, model_get_functions(show->trace->model));
	if (!show->filter.pattern)
		diag_add(show->trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return show->filter.pattern;
}

/* When all functions that there are have been seen. False and a diag when none is meant. */
static bool check_filter(const struct show *show)
{
	if (!show->filter.pattern || pattern_count(show->filter.pattern))
		return true;
	ask_refuse(show->trace, show->options->function, show->filter.pattern);
	return false;
}

static bool has_calls(const struct trace *trace, const struct options *options)
{
	bool wants_times = options->filter.longer_ns || call_filter_has_times(&options->filter);

	return ask_has_calls(trace) && (!wants_times || ask_has_times(trace)) && ask_knows_time(trace, options->by);
}

/* ---- by exit, in one pass ---- */

static void write_call(void *context, const struct call *call)
{
	struct show *show = context;

	if (!call_filter_takes(&show->filter, model_get_clock(show->trace->model), call))
		return;
	if (!show->calls && !begin_table(show))
		return;
	calls_write(show->calls, call);
}

/* By several threads, in two passes, in either order. False: nothing happened. */
static bool show_list(struct show *show)
{
	const struct options *options = show->options;
	struct trace *trace = show->trace;

	if (call_filter_has_times(&options->filter) && !options->by_exit)
		return false;
	if (options->lines || (options->by_exit && options->args) || !trace_cross(trace, options->thread))
		return false;
	if (!has_calls(trace, options) || !begin_filter(show) || !check_filter(show) || !begin_table(show))
		return true;
	const struct listing listing = {.reader = trace->reader,
		.model = trace->model,
		.crossings = trace->crossings,
		.filter = &show->filter,
		.function = options->function,
		.by_exit = options->by_exit,
		.wants_values = options->args,
		.workers = trace_worker_count(trace),
		.calls = show->calls,
		.writer = &show->out.writer,
		.progress = &show->progress,
		.diag = trace->diag,
		.path = trace->path};

	progress_begin(&show->progress, "writing calls", reader_get_health(trace->reader)->bytes_total);
	listing_write(&listing);
	progress_end(&show->progress);
	calls_end(show->calls);
	return true;
}

static void show_by_exit(struct show *show)
{
	const struct model_options model = {
		.on_call = write_call, .context = show, .thread = show->options->thread, .want_values = show->options->args};

	if (show_list(show))
		return;
	if (!trace_make_model(show->trace, &model, true) || !begin_filter(show) || !trace_read(show->trace))
		return;
	if (!has_calls(show->trace, show->options) || !check_filter(show))
		return;
	if (show->calls || begin_table(show)) /* there may have been no call */
		calls_end(show->calls);
}

/* ---- by entry ---- */

static void put(struct show *show, const struct call *call)
{
	show->rows++;
	if (show->thread)
		calls_thread_write(show->thread, call);
	else
		calls_write(show->calls, call);
}

static bool use_call(void *context, const struct call *call)
{
	struct show *show = context;

	struct call complete = *call;

	if (show->trace->is_part)
		part_complete(&show->part, &complete);
	if (call_filter_takes(&show->filter, model_get_clock(show->trace->model), &complete))
		put(show, &complete);
	return show->rows < show->options->limit;
}

static void write_in_order(struct show *show)
{
	struct entry_replay replay;
	struct again again;

	if (!again_begin(&again, show->trace, "writing calls"))
		return;
	replay = show->trace->is_part ? part_get_replay(&show->part) : again_get_replay(&again);
	if (begin_table(show)) {
		if (trace_worker_count(show->trace) > 1 && !show->options->lines) /* which are looked up in what this thread may change */
			show->thread = make_calls_thread(show->calls);
		if (show->options->limit)
			entry_order_write(show->trace->order, &replay, use_call, show);
		free_calls_thread(show->thread);
		calls_end(show->calls);
	}
	again_end(&again);
}

/* Where few calls are asked for, threads that model parts of the trace pick them out: in one pass, however long it is. */
static bool show_few(struct show *show)
{
	const struct options *options = show->options;
	const struct call_filter *filter = &options->filter;
	bool has_filter = options->function || filter->longer_ns || filter->depth_limit != UINT64_MAX;

	if (!has_filter || options->args || call_filter_has_times(filter))
		return false;
	if (!trace_harvest(show->trace, options->thread, filter, options->function))
		return false;
	if (!has_calls(show->trace, show->options) || !begin_filter(show) || !check_filter(show) || !begin_table(show))
		return true;
	for (size_t i = 0; i < harvest_count(show->trace->harvest) && !calls_is_done(show->calls); i++)
		if (call_filter_takes(&show->filter, model_get_clock(show->trace->model), harvest_get(show->trace->harvest, i)))
			calls_write(show->calls, harvest_get(show->trace->harvest, i)); /* what it was off the CPU is known by now */
	calls_end(show->calls);
	return true;
}

/* Reads what is needed of the trace, in the first of two passes. */
static bool read_first(struct show *show)
{
	struct trace *trace = show->trace;
	const struct options *options = show->options;

	if (call_filter_has_times(&options->filter))
		trace_make_part(trace, options->thread);
	if (diag_has_error(trace->diag))
		return false;
	if (trace->is_part)
		return part_read(&show->part, trace, options->filter.from_ns, options->filter.to_ns) && ask_has_calls(trace);
	return trace_make_order(trace, options->thread) && trace_read(trace) && has_calls(trace, options);
}

static void show_by_entry(struct show *show)
{
	struct trace *trace = show->trace;

	if (!trace->is_seekable) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"calls in order of entry need to read it twice, which a pipe cannot: use --order exit, or a file");
		return;
	}
	if (show_few(show) || show_list(show))
		return;
	if (read_first(show) && begin_filter(show) && check_filter(show))
		write_in_order(show);
}

static void show_calls(struct show *show)
{
	if (!trace_open(show->trace, show->options->path, show->trace->diag))
		return;
	if (show->options->by_exit)
		show_by_exit(show);
	else
		show_by_entry(show);
	if (show->trace->model) {
		summary_note_counted(show->trace);
		summary_warn(show->trace);
	}
	part_clear(&show->part);
	free_pattern(show->filter.pattern);
	free_calls(show->calls);
	if (show->has_out)
		output_end_table(&show->out);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct trace trace = {.diag = diag};
	struct show show = {.trace = &trace, .options = &options};

	if (!read_options(argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	trace.wants_values = options.args;
	trace.input = options.input;
	trace.jobs = options.jobs;
	show_calls(&show);
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
