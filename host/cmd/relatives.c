/* dwell callers, dwell callees: the callers of a function, and its callees. */
#include <inttypes.h>
#include <stdio.h>

#include "analysis/off_cpu_columns.h"
#include "analysis/relatives.h"
#include "cli/question_command.h"
#include "cli/function_sum.h"
#include "cli/ordered_by.h"
#include "cli/summary.h"
#include "query/ask/relatives.h"
#include "util/units.h"

static const char callers_about[] =
	ABOUT_FUNCTION
	"Each function that calls FUNC has one line; the largest total comes first.\n"
	"calls, total and self are FUNC's when that function called it. Percentages are\n"
	"parts of FUNC's own total. A call of FUNC inside of another one by the same\n"
	"caller is not counted twice, so they add up to 100, unless FUNC is recursive:\n"
	"then time in an inner call belongs to the outer and to the inner caller. calls\n"
	"and self always add up to FUNC's. (outermost) stands for calls without a\n"
	"recorded caller: main, a thread's first function, signal handlers between calls.\n"
	"\n"
	"For samples dwell shows their number instead of calls; in 95 of 100 runs the\n"
	"true percentage is between from and to.\n";

static const char callees_about[] =
	ABOUT_FUNCTION
	"Each function that FUNC calls has one line; the largest total comes first.\n"
	"calls, total and self are that function's when FUNC called it; (itself) is\n"
	"FUNC's own time. Percentages are parts of FUNC's total. A call inside of another\n"
	"one of the same line is not counted twice, so they add up to 100, unless FUNC is\n"
	"recursive.\n"
	"\n"
	"For samples dwell shows their number instead of calls; in 95 of 100 runs the\n"
	"true total % is between from and to.\n";

static const struct option_row rows[] = {ROWS_QUESTION(relatives_parameters),
	ROWS_FORM("columns: "
		"function,calls,samples,total_ns,total_cpu_ns,total,total_percent,total_low,total_high,self_ns,self_cpu_ns,self," OFF_CPU_KEYS ". "
		"A cell is empty if its value is not known. total and self are for samples and folded stacks"),
	{0}};

/* For samples with known intervals. */
static void print_shares(const struct trace *trace, const struct profile_question *ask, FILE *out)
{
	const struct analysis_sum sum = analysis_sum(model_get_profile(trace->model), ask->pattern);
	const struct relative_shares *shares = &ask->shares;
	const struct estimate_share total = estimates_get_share(&shares->all, 0, (double)sum.total);
	const struct estimate_share self = estimates_get_share(&shares->all, 1, (double)sum.self);
	char samples[UNITS_TEXT_BYTES], of[UNITS_TEXT_BYTES];

	units_format_count(samples, shares->rows.samples);
	units_format_count(of, shares->all.samples);
	if (sum.functions > 1)
		fprintf(out, " (%" PRIu64 " functions)", sum.functions);
	fprintf(out, ": in %s of %s samples; total %.2f %% (%.2f to %.2f), self %.2f %% (%.2f to %.2f)\n\n", samples, of,
		100 * total.share, 100 * total.low, 100 * total.high, 100 * self.share, 100 * self.low, 100 * self.high);
}

static void print_head(const struct trace *trace, const struct question *question)
{
	const struct profile_question *ask = (const struct profile_question *)question;
	bool is_cpu = by_is_cpu(question->by, model_get_profile(trace->model));

	summary_print_name(stdout, question->function);
	if (relatives_get_shares(ask))
		print_shares(trace, ask, stdout);
	else
		function_sum_print(trace, ask->pattern, stdout);
	ordered_by_print(trace, is_cpu ? "total cpu" : "total wall", is_cpu ? BY_CPU : BY_WALL);
}

static const struct answer_texts texts = {.print_head = print_head};

static int run_callers(int argc, char **argv, struct diag *diag)
{
	return question_command(&command_callers, &question_callers, &texts, argc, argv, diag);
}

static int run_callees(int argc, char **argv, struct diag *diag)
{
	return question_command(&command_callees, &question_callees, &texts, argc, argv, diag);
}

const struct command command_callers = {"callers", "FUNC [FILE]", "Shows who calls a function, how often and for how long", rows, callers_about, run_callers,
	.task = TASK_LOOK,
	.examples = "  dwell callers parse app.dwell     who calls parse\n"
		    "  dwell callers 'json_*' app.dwell  who calls any of these, taken together\n"};
const struct command command_callees = {"callees", "FUNC [FILE]", "Shows what a function calls, how often and for how long", rows, callees_about, run_callees,
	.task = TASK_LOOK,
	.examples = "  dwell callees parse app.dwell     what parse calls\n"
		    "  dwell callees 'json_*' app.dwell  what any of these call, taken together\n"};
