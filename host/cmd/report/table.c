#include "cmd/report/table.h"

#include <stdio.h>

#include "cli/ordered_by.h"
#include "cli/summary.h"
#include "model/profile/cost.h"
#include "model/profile/throttled.h"
#include "query/ask/functions.h"
#include "util/units.h"

#define LEFT_OUT_TICKS_MAX 1e18

static const char *const durations[] = {"min", "avg", "max", "p50", "p99"};
#define DURATIONS (sizeof durations / sizeof *durations)
#define DURATIONS_BYTES 64

/* Lists the columns about single calls in the table: "min to p99", "avg, p50 and p99". Returns the number of columns. */
static size_t list_durations(const struct output_table *table, char text[static DURATIONS_BYTES])
{
	const char *shown[DURATIONS];
	size_t count = 0, at = 0;

	for (size_t i = 0; i < DURATIONS; i++)
		if (output_shows(table, durations[i]))
			shown[count++] = durations[i];
	if (count == DURATIONS) {
		snprintf(text, DURATIONS_BYTES, "%s to %s", shown[0], shown[count - 1]);
		return count;
	}
	*text = 0;
	for (size_t i = 0; i < count; i++)
		at += (size_t)snprintf(text + at, DURATIONS_BYTES - at, "%s%s", !i ? "" : i + 1 < count ? ", " : " and ", shown[i]);
	return count;
}

/* Explains the columns about single calls that the table has. */
static void print_durations_note(const struct trace *trace, const struct output_table *table)
{
	bool has_off_cpu = model_get_profile(trace->model)->has_off_cpu, p50 = output_shows(table, "p50"), p99 = output_shows(table, "p99");
	char list[DURATIONS_BYTES];
	size_t count = list_durations(table, list);

	if (!(count && has_off_cpu) && !p50 && !p99)
		return;
	putchar('\n');
	if (has_off_cpu)
		printf("%s %s%s", list, count == 1 ? "is a wall-clock time" : "are wall-clock times", p50 || p99 ? "; " : "");
	if (p50 || p99)
		printf("%s within 3 %%", p50 && p99 ? "p50 and p99 are" : p50 ? "p50 is" : "p99 is");
	puts(".");
}

/* Prints the number and cost of calls that are in no function's row. Prints nothing for 0 calls. */
static void print_left_out(
	const char *which, uint64_t count, const char *how_exact, double ticks, const struct clock_map *clock, bool intervals)
{
	char calls[UNITS_TEXT_BYTES], cost[UNITS_TEXT_BYTES];

	units_format_count(calls, count);
	units_format_ns_short(cost, clock_duration_ns(clock, (uint64_t)(ticks < LEFT_OUT_TICKS_MAX ? ticks : LEFT_OUT_TICKS_MAX)));
	if (count)
		printf("Calls that were %s: %s. Their cost, %s %s, is still in the times of their callers%s.\n", which, calls, how_exact, cost,
			intervals ? ", and in from and to" : "");
}

static void print_recording_cost(const struct trace *trace, const struct output_table *table)
{
	const struct overhead *overhead = model_get_overhead(trace->model);
	const struct clock_map *clock = model_get_clock(trace->model);
	double ns = clock->ns_per_tick;
	uint64_t counted = throttled_count_calls(model_get_throttled(trace->model));
	bool intervals = output_shows(table, "from");
	char list[DURATIONS_BYTES];
	size_t count = list_durations(table, list);

	printf("\nRecording cost %.0f ns to %.0f ns in each call and %.0f ns to %.0f ns in its caller.\n", overhead->inner.low * ns,
		overhead->inner.high * ns, overhead->outer.low * ns, overhead->outer.high * ns);
	printf("dwell subtracts the middle of that%s%s. --raw shows times as recorded.\n", count ? ", but not from " : "", count ? list : "");
	printf("%sA ~ marks times that may be off by more than half.\n", intervals ? "The true share is between from and to. " : "");
	puts("A ? marks functions that may be hot: from and to are far apart. They come first: sample them.");
	print_left_out("recorded and then left out", overhead->left_out, "about", cost_left_out(overhead), clock, intervals);
	print_left_out("counted instead", counted, "at most about", cost_counted(overhead, counted), clock, intervals);
}

/* Explains why the cost of recording is unknown. Prints nothing with --raw. */
static void print_cost_unknown(const struct trace *trace, bool is_raw)
{
	const struct overhead *overhead = model_get_overhead(trace->model);
	const char *problem = overhead->problem;

	if (!*problem && !overhead->is_known && !reader_get_health(trace->reader)->ended_well)
		problem = "the recording was cut off before it was told";
	if (*problem && !is_raw)
		printf("\nTimes include the cost of recording, which dwell cannot subtract: %s.\n", problem);
}

static void print_head(const struct trace *trace, const struct question *question)
{
	enum by by;
	const char *title = functions_get_order_title(question, trace, &by);

	summary_print(trace, stdout);
	if (!model_is_sampled(trace->model))
		ordered_by_print(trace, title, by);
}

static void print_foot(const struct trace *trace, const struct question *question, const struct output_table *table)
{
	const struct profile *profile = model_get_profile(trace->model);

	if (model_is_sampled(trace->model)) {
		if (profile->function_count)
			printf("\nIn 95 of 100 runs the true share is between from and to.%s\n",
				output_shows(table, "alike") ? " = : too few samples to say which is larger, this row or the one above." : "");
		return;
	}
	if (profile->has_times && !profile->is_untimed && profile->function_count)
		print_durations_note(trace, table);
	if (profile->is_net && profile->function_count)
		print_recording_cost(trace, table);
	else if (profile->has_times)
		print_cost_unknown(trace, question->raw);
}

const struct answer_texts report_texts = {.print_head = print_head, .print_foot = print_foot, .row = "function"};
