/* dwell callers, dwell callees: who calls a function, and what it calls. */
#include <inttypes.h>
#include <stdio.h>

#include "analysis/relative_shares.h"
#include "analysis/relatives.h"
#include "cli/command.h"
#include "cli/function_sum.h"
#include "cli/option.h"
#include "cli/output.h"
#include "cli/summary.h"
#include "cli/which.h"
#include "query/ask.h"
#include "query/inlined.h"
#include "util/units.h"
#include "writer/writer.h"

#define HELP                                                                                                                       \
	WHICH_HELP                                                                                                                 \
	OPTION_HELP_LIMIT("functions")                                                                                    \
	OPTION_HELP_THREAD                                                                      \
	OPTION_HELP_JOBS                        \
	INPUT_NAMES_HELP \
	OPTION_HELP_LINES                                                               \
	INLINED_HELP                                                               \
	OPTION_HELP_NAMES \
	OPTION_HELP_RAW \
	"  --csv          function,calls,samples,total_ns,total_cpu_ns,total,\n" \
	"                 total_percent,total_low,total_high,self_ns,self_cpu_ns,self.\n" \
	"                 Always all of these; a cell is empty where nothing is known.\n" \
	"                 total and self are for samples and folded stacks\n" \
	OPTION_HELP_JSON                                                                                            \
	"\n" ASK_FUNCTION_HELP "\n"

static const char callers_help[] = HELP
	"A line for each function that calls FUNC, the one with the largest total first.\n"
	"calls, total and self are of FUNC when that one called it. total % is total as a\n"
	"part of FUNC's own total; where a call of FUNC runs inside of another that the\n"
	"same caller made, it is not counted twice. So the percentages add up to 100, but\n"
	"for a FUNC that is recursive: there, time in an inner call is the outer caller's\n"
	"and the inner caller's. calls and self add up always: to all calls of FUNC, and\n"
	"to its self time. (outermost) is for calls with no recorded caller: main, what a\n"
	"thread begins with, signal handlers between calls.\n"
	"\nOf samples there are their numbers instead of calls; in 95 of 100 runs the true\n"
	"total % is between from and to.\n";

static const char callees_help[] = HELP
	"A line for each function that FUNC calls, the one with the largest total first.\n"
	"calls, total and self are of that function when FUNC called it; (itself) is\n"
	"FUNC's own time. total % is total as a part of FUNC's total; where a call runs\n"
	"inside of another of the same line, it is not counted twice. So the percentages\n"
	"add up to 100, but for a FUNC that is recursive.\n"
	"\nOf samples there are their numbers instead of calls; in 95 of 100 runs the true\n"
	"total % is between from and to.\n";

struct options {
	struct input_options input;
	const char *function, *path, *thread;
	enum writer_form form;
	uint64_t limit, jobs;
	bool lines, inlines, full_names, raw;
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
		INPUT_ROWS(&options->input),
		{"lines", OPTION_FLAG, &options->lines},
		{"inlines", OPTION_FLAG, &options->inlines},
		{"full-names", OPTION_FLAG, &options->full_names},
		{"raw", OPTION_FLAG, &options->raw},
		{"csv", OPTION_CSV, &options->form},
		{"json", OPTION_JSON, &options->form},
	};

	*options = (struct options){.form = WRITER_TEXT, .limit = UINT64_MAX};
	return option_read_function(
		command, rows, sizeof rows / sizeof *rows, argc, argv, &options->function, &options->path, diag);
}

/* Each sample is told in order then, which calls are not worth: they are read by several threads. Of a pipe names come last, too late to
 * know whose sample it is. */
static bool is_of_samples(struct trace *trace)
{
	struct message message;
	bool found;

	if (!trace->is_seekable)
		return false;
	do {
		reader_next(trace->reader, &message);
		found = message.kind == MESSAGE_SAMPLING || message.kind == MESSAGE_SAMPLES;
	} while (!found && message.kind != MESSAGE_END && message.kind != MESSAGE_EVENTS && message.kind != MESSAGE_RUN &&
		 message.kind != MESSAGE_CHECKPOINT && message.kind != MESSAGE_WEIGHT);
	reader_rewind(trace->reader);
	return found;
}

/* Of samples that were told. */
static void print_shares(const struct trace *trace, const struct relative_shares *shares, const char *function, FILE *out)
{
	const struct analysis_sum sum = analysis_sum(model_get_profile(trace->model), shares->pattern);
	const struct estimate_share total = estimates_get_share(&shares->all, 0, (double)sum.total);
	const struct estimate_share self = estimates_get_share(&shares->all, 1, (double)sum.self);
	char samples[UNITS_TEXT_BYTES], of[UNITS_TEXT_BYTES];

	units_format_count(samples, shares->rows.samples);
	units_format_count(of, shares->all.samples);
	summary_print_name(out, function);
	if (sum.functions > 1)
		fprintf(out, " (%" PRIu64 " functions)", sum.functions);
	fprintf(out, ": in %s of %s samples; total %.2f %% (%.2f to %.2f), self %.2f %% (%.2f to %.2f)\n\n", samples, of,
		100 * total.share, 100 * total.low, 100 * total.high, 100 * self.share, 100 * self.low, 100 * self.high);
}

static void write(struct trace *trace, const struct options *options, enum relatives_side side, struct relative_shares *shares)
{
	struct analysis_relatives relatives = {.profile = model_get_profile(trace->model),
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.pattern = shares->pattern,
		.side = side,
		.limit = options->limit,
		.by = options->by};
	struct output_table out;

	relative_shares_finish(shares);
	if (shares->has_failed)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: how sure it is cannot be told");
	else if (shares->rows.samples)
		relatives.shares = &shares->rows;
	if (options->form == WRITER_TEXT) {
		bool is_cpu = by_is_cpu(options->by, relatives.profile);

		if (relatives.shares)
			print_shares(trace, shares, options->function, stdout);
		else
			function_sum_print(trace, options->function, shares->pattern, stdout);
		which_print(trace, is_cpu ? "total cpu" : "total wall", is_cpu ? BY_CPU : BY_WALL);
	}
	out = output_begin_table(options->form, model_get_clock(trace->model),
		options->lines ? model_get_functions(trace->model) : NULL, options->full_names, trace->diag);
	if (!analysis_relatives(&relatives, &out.sink))
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	output_end_table(&out);
	summary_warn(trace);
}

struct question {
	const struct options *options;
	struct relative_shares *shares;
};

/* A model that several threads make is another one. */
static void begin_samples(void *context, struct trace *trace)
{
	const struct question *question = context;

	if (trace->options.on_sample)
		question->shares->pattern = make_pattern(question->options->function, model_get_functions(trace->model));
}

static void show(struct trace *trace, const struct options *options, enum relatives_side side)
{
	struct relative_shares shares = {.side = side};
	struct model_options model = {.want_profile = true,
		.raw = options->raw,
		.no_durations = true,
		.thread = options->thread,
		.inlines = options->inlines,
		.context = &shares};
	struct question question = {options, &shares};

	if (!trace_open(trace, options->path, trace->diag))
		return;
	if (is_of_samples(trace))
		model.on_sample = relative_shares_take;
	if (inlined_read_open(trace, &model, begin_samples, &question)) {
		if (!shares.pattern)
			shares.pattern = make_pattern(options->function, model_get_functions(trace->model));
		if (ask_found(trace, options->function, shares.pattern) && ask_knows_time(trace, options->by))
			write(trace, options, side, &shares);
	}
	free_pattern(shares.pattern);
	relative_shares_clear(&shares);
}

static int run(const struct command *command, enum relatives_side side, int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct trace trace = {.diag = diag};

	if (!read_options(command, argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
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

const struct command command_callers = {"callers", "[--cpu | --wall] [--limit N] [--thread T] [--jobs N] " INPUT_NAMES_ARGUMENTS "[--lines] [--inlines] [--full-names] [--raw] [--csv | --json] FUNC FILE",
	"Shows who calls a function, how often and for how long", callers_help, run_callers};
const struct command command_callees = {"callees", "[--cpu | --wall] [--limit N] [--thread T] [--jobs N] " INPUT_NAMES_ARGUMENTS "[--lines] [--inlines] [--full-names] [--raw] [--csv | --json] FUNC FILE",
	"Shows what a function calls, how often and for how long", callees_help, run_callees};
