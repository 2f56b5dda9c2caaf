/* dwell callers, dwell callees: who calls a function, and what it calls. */
#include <stdio.h>

#include "analysis/relatives.h"
#include "cmd/ask.h"
#include "cmd/command.h"
#include "cmd/inlined.h"
#include "cmd/option.h"
#include "cmd/output.h"
#include "cmd/summary.h"
#include "cmd/which.h"
#include "writer/writer.h"

#define HELP                                                                                                                       \
	WHICH_HELP                                                                                                                 \
	OPTION_HELP_LIMIT("functions")                                                                                    \
	OPTION_HELP_THREAD                                                                      \
	OPTION_HELP_JOBS                        \
	OPTION_HELP_LINES                                                               \
	INLINED_HELP                                                               \
	OPTION_HELP_NAMES \
	"  --csv          function,calls,total_ns,total_percent,self_ns; where the CPU time is known, total_cpu_ns behind\n"             \
	"                 total_percent, and self_cpu_ns behind self_ns\n"                                                                   \
	OPTION_HELP_JSON                                                                                            \
	"\n" ASK_FUNCTION_HELP "\n"

static const char callers_help[] = HELP
	"A line for each function that calls FUNC, the one with the largest total first. calls, total and self are of FUNC when that one called\n"
	"it. total % is total as a part of FUNC's own total; where a call of FUNC runs inside of another that the same caller made, it is not\n"
	"counted twice. So the percentages add up to 100, but for a FUNC that is recursive: there, time in an inner call is the outer caller's\n"
	"and the inner caller's. calls and self add up always: to all calls of FUNC, and to its self time.\n"
	"(outermost) is for calls with no recorded caller: main, what a thread begins with, signal handlers between calls.\n";

static const char callees_help[] = HELP
	"A line for each function that FUNC calls, the one with the largest total first. calls, total and self are of that function when FUNC\n"
	"called it; (itself) is FUNC's own time. total % is total as a part of FUNC's total; where a call runs inside of another of the same\n"
	"line, it is not counted twice. So the percentages add up to 100, but for a FUNC that is recursive.\n";

struct options {
	const char *function, *path, *thread;
	enum writer_form form;
	uint64_t limit, jobs;
	bool lines, inlines, full_names;
	enum by by;
};

static bool read_options(const struct command *command, int argc, char **argv, struct options *options, struct diag *diag)
{
	const struct option_row rows[] = {
		{"cpu", OPTION_CPU, &options->by},
		{"wall", OPTION_WALL, &options->by},
		{"limit", OPTION_COUNT, &options->limit, 'n'},
		{"thread", OPTION_TEXT, &options->thread},
		{"jobs", OPTION_COUNT, &options->jobs},
		{"lines", OPTION_FLAG, &options->lines},
		{"inlines", OPTION_FLAG, &options->inlines},
		{"full-names", OPTION_FLAG, &options->full_names},
		{"csv", OPTION_CSV, &options->form},
		{"json", OPTION_JSON, &options->form},
	};

	*options = (struct options){.form = WRITER_TEXT, .limit = UINT64_MAX};
	return option_read_function(
		command, rows, sizeof rows / sizeof *rows, argc, argv, &options->function, &options->path, diag);
}

static void show(struct trace *trace, const struct options *options, enum relatives_side side)
{
	const struct model_options model = {
		.want_profile = true, .no_durations = true, .thread = options->thread, .inlines = options->inlines};
	struct analysis_relatives relatives = {.side = side, .limit = options->limit, .by = options->by};
	struct output_table out;

	relatives.pattern = ask_profile(trace, options->path, options->function, &model);
	if (!relatives.pattern)
		return;
	relatives.profile = model_get_profile(trace->model);
	relatives.functions = model_get_functions(trace->model);
	relatives.clock = model_get_clock(trace->model);
	if (!which_check(trace, options->by)) {
		free_pattern(relatives.pattern);
		return;
	}
	if (options->form == WRITER_TEXT) {
		bool is_cpu = by_is_cpu(options->by, relatives.profile);

		ask_print_sum(trace, options->function, relatives.pattern);
		which_print(trace, is_cpu ? "total cpu" : "total wall", is_cpu ? BY_CPU : BY_WALL);
	}
	out = output_begin_table(
		options->form, options->lines ? model_get_functions(trace->model) : NULL, options->full_names, trace->diag);
	if (!analysis_relatives(&relatives, &out.sink))
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	output_end_table(&out);
	free_pattern(relatives.pattern);
	summary_warn(trace);
}

static int run(const struct command *command, enum relatives_side side, int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct trace trace = {.diag = diag};

	if (!read_options(command, argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	trace.jobs = options.jobs;
	show(&trace, &options, side);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

static int run_callers(int argc, char **argv, struct diag *diag)
{
	return run(&command_callers, RELATIVES_CALLERS, argc, argv, diag);
}

static int run_callees(int argc, char **argv, struct diag *diag)
{
	return run(&command_callees, RELATIVES_CALLEES, argc, argv, diag);
}

const struct command command_callers = {"callers", "[--cpu | --wall] [--limit N] [--thread T] [--jobs N] [--lines] [--inlines] [--full-names] [--csv | --json] FUNC FILE",
	"Shows who calls a function, how often and for how long", callers_help, run_callers};
const struct command command_callees = {"callees", "[--cpu | --wall] [--limit N] [--thread T] [--jobs N] [--lines] [--inlines] [--full-names] [--csv | --json] FUNC FILE",
	"Shows what a function calls, how often and for how long", callees_help, run_callees};
