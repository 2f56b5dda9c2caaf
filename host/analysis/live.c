#include "analysis/live.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

struct live_spent {
	uint64_t calls, self, total;
};

struct live_function {
	struct live_spent before, now;
	bool is_untimed; /* its exits are not recorded */
	uint32_t seen; /* open in the thread with this number: an inner call of itself adds nothing to its total */
};

enum { RATE, PERCENT, SELF, CALLS, ALL_PERCENT, ALL_SELF, ALL_TOTAL, NAME, COLUMN_COUNT };

static const struct column columns[COLUMN_COUNT] = {
	[RATE] = {.key = "calls_per_s", .title = "calls/s", .unit = UNIT_COUNT, .width = 13},
	[PERCENT] = {.key = "self_percent", .title = "self %", .unit = UNIT_PERCENT, .width = 8},
	[SELF] = {.key = "self_ns", .title = "self", .unit = UNIT_NS, .width = 9},
	[CALLS] = {.key = "calls", .title = "all calls", .unit = UNIT_COUNT, .width = 15, .spare = 2},
	[ALL_PERCENT] = {.key = "all_self_percent", .title = "all %", .unit = UNIT_PERCENT, .width = 8, .spare = 4},
	[ALL_SELF] = {.key = "all_self_ns", .title = "all self", .unit = UNIT_NS, .width = 9, .spare = 3},
	[ALL_TOTAL] = {.key = "all_total_ns", .title = "all total", .unit = UNIT_NS, .width = 9, .spare = 1},
	[NAME] = {.key = "function", .title = "function", .unit = UNIT_NAME},
};

void live_clear(struct live *live)
{
	free(live->functions);
	*live = (struct live){0};
}

static bool reserve(struct live *live, uint32_t count)
{
	size_t capacity = live->capacity;

	if (count <= live->count)
		return true;
	if (!array_reserve(&live->functions, &capacity, count, sizeof *live->functions))
		return false;
	live->capacity = (uint32_t)capacity;
	memset(live->functions + live->count, 0, (count - live->count) * sizeof *live->functions);
	live->count = count;
	return true;
}

static void add_finished(struct live *live, const struct profile *profile)
{
	for (uint32_t id = 0; id < live->count; id++) {
		struct live_function *function = &live->functions[id];

		function->before = function->now;
		function->now = (struct live_spent){0};
		function->is_untimed = profile_is_untimed(profile, id);
		if (id < profile->function_count)
			function->now = (struct live_spent){
				profile->functions[id].calls, profile->functions[id].self, profile->functions[id].total};
	}
}

/* What the open calls of a thread took so far: each is itself running up to where the next one begins, the innermost up to now. */
static void add_open(struct live *live, const struct model *model, uint32_t stream, uint64_t ticks)
{
	uint32_t count = model_open_count(model, stream);

	live->serial++;
	for (uint32_t i = 0; i < count; i++) {
		struct call call = model_get_open(model, stream, i);
		uint64_t end = i + 1 < count ? model_get_open(model, stream, i + 1).enter_ticks : ticks, all, inside;
		struct live_function *function;

		if (call.function >= live->count)
			continue;
		function = &live->functions[call.function];
		inside = end > call.enter_ticks ? end - call.enter_ticks : 0;
		function->now.self += inside > call.total_ticks ? inside - call.total_ticks : 0;
		all = ticks > call.enter_ticks ? ticks - call.enter_ticks : 0;
		if (function->seen != live->serial)
			function->now.total += all;
		function->seen = live->serial;
	}
}

bool live_update(struct live *live, const struct model *model, uint64_t ticks, struct live_summary *summary)
{
	const struct clock_map *clock = model_get_clock(model);

	live->interval_ns = live->last_ticks && ticks > live->last_ticks ? clock_duration_ns(clock, ticks - live->last_ticks) : 0;
	*summary = (struct live_summary){.interval_ns = live->interval_ns};
	if (!reserve(live, functions_count(model_get_functions(model))))
		return false;
	live->last_ticks = ticks;
	add_finished(live, model_get_profile(model));
	for (uint32_t i = 0; i < model_thread_count(model); i++) {
		struct model_thread thread = model_get_thread(model, i);

		if (thread.ended)
			continue;
		summary->threads++;
		add_open(live, model, thread.stream, ticks);
	}
	for (uint32_t id = 0; id < live->count; id++) {
		summary->all_calls += live->functions[id].now.calls;
		summary->calls += live->functions[id].now.calls - live->functions[id].before.calls;
	}
	return true;
}

/* An open call may have been charged with what turns out to be another's: nothing goes back. */
static uint64_t more(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static uint64_t recent_self(const struct live_function *function)
{
	return more(function->now.self, function->before.self);
}

static int by_time(const void *a, const void *b, void *context)
{
	const struct live_function *functions = context;
	const struct live_function *left = &functions[*(const uint32_t *)a], *right = &functions[*(const uint32_t *)b];

	if (recent_self(left) != recent_self(right))
		return recent_self(left) < recent_self(right) ? 1 : -1;
	if (left->now.self != right->now.self)
		return left->now.self < right->now.self ? 1 : -1;
	return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

bool live_write(const struct live *live, struct model *model, uint64_t limit, struct table_sink *sink)
{
	struct functions *functions = model_get_functions(model);
	const struct clock_map *clock = model_get_clock(model);
	uint32_t *ids = malloc((live->count ? live->count : 1) * sizeof *ids), count = 0;
	uint64_t recent = 0, all = 0;

	if (!ids)
		return false;
	for (uint32_t id = 0; id < live->count; id++) {
		const struct live_function *function = &live->functions[id];

		recent += recent_self(function);
		all += function->now.self;
		if (function->now.calls || function->now.total)
			ids[count++] = id;
	}
	qsort_r(ids, count, sizeof *ids, by_time, live->functions);
	sink->begin(sink->context, "top", columns, COLUMN_COUNT);
	for (uint32_t i = 0; i < count && i < limit; i++) {
		const struct live_function *function = &live->functions[ids[i]];
		uint64_t interval = live->interval_ns, calls = more(function->now.calls, function->before.calls);
		struct cell cells[COLUMN_COUNT] = {
			[RATE] = {.count = interval ? (uint64_t)((double)calls * 1e9 / (double)interval) : 0, .absent = !interval,
				.unsure = live->lost},
			[PERCENT] = {.real = percent(recent_self(function), recent)},
			[SELF] = {.count = clock_duration_ns(clock, recent_self(function))},
			[CALLS] = {.count = function->now.calls},
			[ALL_PERCENT] = {.real = percent(function->now.self, all)},
			[ALL_SELF] = {.count = clock_duration_ns(clock, function->now.self)},
			[ALL_TOTAL] = {.count = clock_duration_ns(clock, function->now.total)},
			[NAME] = {.text = functions_get_name(functions, ids[i])},
		};

		cells[PERCENT].absent = cells[SELF].absent = cells[ALL_PERCENT].absent = cells[ALL_SELF].absent =
			cells[ALL_TOTAL].absent = function->is_untimed;
		sink->row(sink->context, cells);
	}
	sink->end(sink->context);
	free(ids);
	return true;
}
