/* dwell histogram: the durations of a function's calls. */
#include <stdio.h>

#include "cli/question_command.h"
#include "cli/function_sum.h"
#include "cli/summary_name.h"
#include "query/ask/profile.h"
#include "util/units.h"

static const char about[] =
	ABOUT_FUNCTION
	"\n"
	"Each range of durations has one line, from the shortest to the longest. A\n"
	"duration is from entry to exit, with all that was called in between; the ranges\n"
	"are equal parts of octaves. % is the range's part of all calls, \"up to it %\" the\n"
	"part of the calls that took no longer. p50: half of the calls took no longer\n"
	"than some time in that range; likewise p90, p99 and p99.9, within 3 %. Calls\n"
	"that are not complete (begun before the recording, still running at its end) are\n"
	"left out; if there are no others, dwell shows them with a ~, as lower bounds.\n" ABOUT_AS_RECORDED;

static const struct option_row rows[] = {
	ROWS_QUESTION(durations_parameters), ROWS_FORM("columns: from_ns,to_ns,calls,percent,sum_percent,marks"), {0}};

static const struct profile_question *get_profile_question(const struct question *question)
{
	return (const struct profile_question *)question;
}

static void print_head(const struct trace *trace, const struct question *question)
{
	summary_print_name(stdout, question->function);
	function_sum_print(trace, get_profile_question(question)->pattern, stdout);
}

static void print_ns(const struct clock_map *clock, const char *before, uint64_t ns)
{
	char text[UNITS_TEXT_BYTES];

	clock_format_ns(text, clock, ns);
	printf("%s %s", before, text);
}

static void print_foot(const struct trace *trace, const struct question *question, const struct output_table *table)
{
	const struct analysis_distribution *distribution = &get_profile_question(question)->durations;
	char text[UNITS_TEXT_BYTES];

	(void)trace, (void)table;
	if (!distribution->calls)
		return;
	print_ns(distribution->clock, "\nmin", distribution->min_ns);
	print_ns(distribution->clock, ", avg", distribution->avg_ns);
	print_ns(distribution->clock, ", p50", distribution->p50_ns);
	print_ns(distribution->clock, ", p90", distribution->p90_ns);
	print_ns(distribution->clock, ", p99", distribution->p99_ns);
	print_ns(distribution->clock, ", p99.9", distribution->p999_ns);
	print_ns(distribution->clock, ", max", distribution->max_ns);
	fputs(distribution->unsure ? ": lower bounds, as no call is complete" : "", stdout);
	units_format_count(text, distribution->others);
	if (distribution->others)
		printf("; %s %s not complete and not counted", text, distribution->others == 1 ? "call is" : "calls are");
	putchar('\n');
}

static int run(int argc, char **argv, struct diag *diag)
{
	static const struct answer_texts texts = {.print_head = print_head, .print_foot = print_foot};

	return question_command(&command_histogram, &question_durations, &texts, argc, argv, diag);
}

const struct command command_histogram = {"histogram", "FUNC [FILE]", "Shows how long the calls of a function took", rows, about, run,
	.task = TASK_LOOK,
	.examples = "  dwell histogram parse app.dwell              how long its calls took\n"
		    "  dwell histogram --thread io parse app.dwell  only those of one thread\n"};
