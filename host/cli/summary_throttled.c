#include "cli/summary_throttled.h"

#include <stdlib.h>

#include "cli/output.h"
#include "cli/summary_name.h"
#include "model/profile/throttled.h"
#include "util/units.h"

#define SHOWN 5u /* functions with a line of their own */

static void format_ticks(const struct trace *trace, char text[UNITS_TEXT_BYTES], double ticks)
{
	const struct clock_map *clock = model_get_clock(trace->model);

	clock_format_ns(
		text, clock, clock_duration_ns(clock, (uint64_t)(ticks < THROTTLED_TICKS_MAX ? ticks : THROTTLED_TICKS_MAX)));
}

static void print_function(const struct trace *trace, const struct throttled_function *function, uint64_t first_ticks, FILE *out)
{
	char since[UNITS_TEXT_BYTES], calls[UNITS_TEXT_BYTES], recorded[UNITS_TEXT_BYTES];
	char unseen[UNITS_TEXT_BYTES], unknown[UNITS_TEXT_BYTES];
	uint64_t before = profile_count_calls(model_get_profile(trace->model), function->id);

	format_ticks(trace, since, function->since_ticks > first_ticks ? (double)(function->since_ticks - first_ticks) : 0);
	format_ticks(trace, unseen, (double)function->unrecorded_ticks);
	format_ticks(trace, unknown, (double)function->unknown_ticks);
	units_format_count(calls, before + function->calls);
	units_format_count(recorded, before);
	fputs("  ", out);
	summary_print_name(out, functions_get_name(model_get_functions(trace->model), function->id));
	if (function->is_counted)
		fprintf(out, ": %s calls, %s of them recorded, counted", calls, recorded);
	else
		fprintf(out, ": %s calls recorded, not counted", recorded);
	fprintf(out, " since %s in it; off for %s, not looked at for the last %s\n", since, unseen, unknown);
}

void summary_print_throttled(const struct trace *trace, uint64_t first_ticks, FILE *out)
{
	char cost[UNITS_TEXT_BYTES], saved[UNITS_TEXT_BYTES];
	double spent = 0, not_spent = 0;
	bool all_counted = true;
	size_t count;
	struct throttled_function *list = make_throttled_functions(
		model_get_throttled(trace->model), model_get_functions(trace->model), model_get_profile(trace->model), &count);

	for (size_t i = 0; i < count; i++) {
		double each = list[i].calls ? list[i].cost_ticks / (double)list[i].calls : 0;

		spent += each * (double)profile_count_calls(model_get_profile(trace->model), list[i].id);
		not_spent += list[i].cost_ticks;
		all_counted &= list[i].is_counted;
	}
	if (count) {
		format_ticks(trace, cost, spent);
		format_ticks(trace, saved, not_spent);
		fprintf(out,
			"throttled: %zu function%s cost more to record than %s; while off, what %s is in %s callers' time, and in from and to.\n"
			"It cost about %s to record %s, and would have cost %s%s more\n",
			count, count == 1 ? "" : "s", count == 1 ? "it took" : "they took", count == 1 ? "it takes" : "they take",
			count == 1 ? "its" : "their", cost, count == 1 ? "it" : "them", all_counted ? "about " : "at least ", saved);
	}
	for (size_t i = 0; i < count && i < SHOWN; i++)
		print_function(trace, &list[i], first_ticks, out);
	if (count > SHOWN)
		fprintf(out, "  and %zu more, which dwell info lists\n", count - SHOWN);
	free(list);
}
