#include "cmd/report/table.h"

#include <stdio.h>

#include "cli/ordered_by.h"
#include "cli/summary.h"
#include "model/profile/cost.h"
#include "model/profile/throttled.h"
#include "util/units.h"

#define LEFT_OUT_TICKS_MAX 1e18

/* Nobody knows any more who made them. */
static void tell_left_out(const char *which, uint64_t count, const char *how_exact, double ticks, const struct clock_map *clock)
{
	char calls[UNITS_TEXT_BYTES], cost[UNITS_TEXT_BYTES];

	units_format_count(calls, count);
	units_format_ns_short(cost, clock_duration_ns(clock, (uint64_t)(ticks < LEFT_OUT_TICKS_MAX ? ticks : LEFT_OUT_TICKS_MAX)));
	if (count)
		printf("Calls that were %s: %s. What that cost, %s %s, is still in the times of those who made them, and in from and to.\n", which,
			calls, how_exact, cost);
}

static void tell_recording(const struct trace *trace)
{
	const struct overhead *overhead = model_get_overhead(trace->model);
	const struct clock_map *clock = model_get_clock(trace->model);
	double inner = overhead->inner.ticks * clock->ns_per_tick, outer = overhead->outer.ticks * clock->ns_per_tick;
	uint64_t counted = throttled_count_calls(model_get_throttled(trace->model));

	printf("\nRecording cost %.0f ns in each call and %.0f ns in its caller. dwell takes that out, except from min to p99. The true share\n"
	       "is between from and to; a ~ marks times that may be off by more than half%s. --raw shows times as recorded.\n",
		inner, outer,
		model_get_profile(trace->model)->net_is_rough ? ", as dwell does not know any more who made some calls" : "");
	tell_left_out("recorded and then left out", overhead->left_out, "about", cost_left_out(overhead), clock);
	tell_left_out("counted instead", counted, "at most about", cost_counted(overhead, counted), clock);
}

static void tell_raw(const struct trace *trace, bool is_raw)
{
	const char *problem = model_get_overhead(trace->model)->problem;

	if (*problem && !is_raw)
		printf("\nTimes are with what recording cost, which is not known: %s.\n", problem);
}

void report_print_head(const struct trace *trace, const struct question *question)
{
	enum by by;
	const char *title = question_get_order(question, trace, &by);

	summary_print(trace, stdout);
	if (!model_is_sampled(trace->model))
		ordered_by_print(trace, title, by);
}

void report_print_foot(const struct trace *trace, const struct question *question)
{
	const struct profile *profile = model_get_profile(trace->model);

	if (model_is_sampled(trace->model)) {
		if (profile->function_count)
			fputs("\nIn 95 of 100 runs the true share is between from and to. = cannot be told from the row above.\n", stdout);
		return;
	}
	if (profile->has_times && !profile->is_untimed && profile->function_count)
		printf("\n%sp50 and p99 are within 3 %%.\n", profile->has_off ? "min to p99 are wall-clock times; " : "");
	if (profile->is_net && profile->function_count)
		tell_recording(trace);
	else if (profile->has_times)
		tell_raw(trace, question->raw);
}
