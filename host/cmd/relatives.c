/* dwell callers, dwell callees: who calls a function, and what it calls. */
#include <inttypes.h>
#include <stdio.h>

#include "analysis/relatives.h"
#include "cli/command.h"
#include "cli/function_sum.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "cli/ordered_by.h"
#include "query/health.h"
#include "query/question.h"
#include "util/units.h"
#include "writer/writer.h"

static const char callers_about[] =
	ABOUT_FUNCTION "\n"
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

static const char callees_about[] =
	ABOUT_FUNCTION "\n"
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

static const struct option_row rows[] = {
	ROWS_BY(HELP_BY_OF_SUMS),
	ROW_LIMIT("functions"),
	ROWS_READING,
	ROW_LINES,
	ROW_INLINES,
	ROW_FULL_NAMES,
	ROW_RAW,
	ROWS_FORM("function,calls,samples,total_ns,total_cpu_ns,total,total_percent,total_low,total_high,self_ns,self_cpu_ns,self. Always "
		  "all of these; a cell is empty where nothing is known. total and self are for samples and folded stacks"),
	{0}};

/* Of samples that were told. */
static void print_shares(const struct trace *trace, const struct question *question, FILE *out)
{
	const struct analysis_sum sum = analysis_sum(model_get_profile(trace->model), question->pattern);
	const struct relative_shares *shares = &question->shares;
	const struct estimate_share total = estimates_get_share(&shares->all, 0, (double)sum.total);
	const struct estimate_share self = estimates_get_share(&shares->all, 1, (double)sum.self);
	char samples[UNITS_TEXT_BYTES], of[UNITS_TEXT_BYTES];

	units_format_count(samples, shares->rows.samples);
	units_format_count(of, shares->all.samples);
	summary_print_name(out, question->function);
	if (sum.functions > 1)
		fprintf(out, " (%" PRIu64 " functions)", sum.functions);
	fprintf(out, ": in %s of %s samples; total %.2f %% (%.2f to %.2f), self %.2f %% (%.2f to %.2f)\n\n", samples, of,
		100 * total.share, 100 * total.low, 100 * total.high, 100 * self.share, 100 * self.low, 100 * self.high);
}

static void print_head(const struct trace *trace, const struct question *question)
{
	bool is_cpu = by_is_cpu(question->by, model_get_profile(trace->model));

	if (question_get_shares(question))
		print_shares(trace, question, stdout);
	else
		function_sum_print(trace, question->function, question->pattern, stdout);
	ordered_by_print(trace, is_cpu ? "total cpu" : "total wall", is_cpu ? BY_CPU : BY_WALL);
}

static void show(struct trace *trace, const struct options *options, struct question *question)
{
	struct output_table out;

	if (question_read(question, trace, options->path)) {
		if (options->form == WRITER_TEXT)
			print_head(trace, question);
		out = output_begin_table(options->form, model_get_clock(trace->model),
			options->lines ? model_get_functions(trace->model) : NULL, options->full_names, trace->diag);
		question_write(question, trace, &out.sink);
		output_end_table(&out);
		health_warn(trace);
	}
	question_clear(question);
}

static int run(const struct command *command, enum question_kind kind, int argc, char **argv, struct diag *diag)
{
	struct options options = {.limit = UINT64_MAX};
	struct trace trace = {.diag = diag};
	struct question question;

	if (!option_read_function(command, &options, argc, argv, &options.function, &options.path, diag))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
	trace.jobs = options.jobs;
	question = (struct question){.kind = kind,
		.function = options.function,
		.thread = options.thread,
		.by = options.by,
		.limit = options.limit,
		.raw = options.raw,
		.inlines = options.inlines};
	show(&trace, &options, &question);
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

static int run_callers(int argc, char **argv, struct diag *diag)
{
	return run(&command_callers, QUESTION_CALLERS, argc, argv, diag);
}

static int run_callees(int argc, char **argv, struct diag *diag)
{
	return run(&command_callees, QUESTION_CALLEES, argc, argv, diag);
}

const struct command command_callers = {
	"callers", "FUNC FILE", "Shows who calls a function, how often and for how long", rows, callers_about, run_callers};
const struct command command_callees = {
	"callees", "FUNC FILE", "Shows what a function calls, how often and for how long", rows, callees_about, run_callees};
