/* live: keeps each function's time at the last two updates, and writes the differences as the table of `dwell top`. */
#include "analysis/live.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/real.h"

struct live_spent {
	uint64_t calls, self, total;
	uint64_t off;  /* part of self before each thread's last event that is not certainly on the CPU */
	uint64_t tail; /* part of self after each thread's last event: nothing is known of it yet */
};

struct live_function {
	struct live_spent before, now;
	bool is_untimed; /* the recording has no exits of it */
	uint32_t seen; /* serial of the last thread in which the function was open, so that a recursive
	                  call adds nothing to total */
};

enum { RATE, SELF, SELF_CPU, PERCENT, CALLS, ALL_SELF, ALL_CPU, ALL_PERCENT, ALL_TOTAL, NAME, COLUMN_COUNT };

static const struct column all_columns[COLUMN_COUNT] = {
	[RATE] = {.key = "calls_per_s", .title = "calls/s", .unit = UNIT_COUNT, .width = 11},
	[SELF] = {.key = "self_ns", .title = "self", .unit = UNIT_NS, .width = 9},
	[SELF_CPU] = {.key = "self_cpu_ns", .title = "self cpu", .unit = UNIT_NS, .width = 9},
	[PERCENT] = {.key = "self_percent", .title = "self %", .unit = UNIT_PERCENT, .width = 8},
	[CALLS] = {.key = "calls", .title = "all calls", .unit = UNIT_COUNT, .width = 13, .spare = 4},
	[ALL_SELF] = {.key = "all_self_ns", .title = "all self", .unit = UNIT_NS, .width = 9, .spare = 5},
	[ALL_CPU] = {.key = "all_self_cpu_ns", .title = "all cpu", .unit = UNIT_NS, .width = 9, .spare = 2},
	[ALL_PERCENT] = {.key = "all_self_percent", .title = "all %", .unit = UNIT_PERCENT, .width = 8, .spare = 1},
	[ALL_TOTAL] = {.key = "all_total_ns", .title = "all total", .unit = UNIT_NS, .width = 9, .spare = 3},
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

/* The profile charges time off the CPU at once, but self time only when a call ends. So off may exceed self here, until add_open
 * adds the self time of open calls. */
static void set_finished(struct live_spent *now, const struct profile_function *function)
{
	now->calls = function->calls;
	now->self = function->self;
	now->total = function->total;
	now->off = profile_off_cpu(&function->self_off);
}

/* Makes the state now the state before, and sets the new state from the finished calls. */
static void add_finished(struct live *live, const struct profile *profile)
{
	for (uint32_t id = 0; id < live->count; id++) {
		struct live_function *function = &live->functions[id];

		function->before = function->now;
		function->now = (struct live_spent){0};
		function->is_untimed = profile_is_untimed(profile, id);
		if (id < profile->function_count)
			set_finished(&function->now, &profile->functions[id]);
	}
}

/* Adds the time of a thread's open calls so far. Each call runs itself until its callee begins, the innermost until now. */
static void add_open(struct live *live, const struct model *model, uint32_t stream, uint64_t last_ticks, uint64_t ticks)
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
		if (i + 1 == count && ticks > last_ticks)
			function->now.tail += ticks - last_ticks;
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
		add_open(live, model, thread.stream, thread.last_ticks, ticks);
	}
	for (uint32_t id = 0; id < live->count; id++) {
		summary->all_calls += live->functions[id].now.calls;
		summary->calls += live->functions[id].now.calls - live->functions[id].before.calls;
	}
	return true;
}

/* now − before, but not below 0: an earlier table may have charged an open call with time that belongs to another call. */
static uint64_t difference(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static uint64_t cpu_of(const struct live_spent *spent)
{
	return profile_rest(spent->self, spent->off + spent->tail);
}

static uint64_t recent_self(const struct live_function *function)
{
	return difference(function->now.self, function->before.self);
}

static uint64_t recent_cpu(const struct live_function *function)
{
	return difference(cpu_of(&function->now), cpu_of(&function->before));
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

static int by_self(const void *a, const void *b, void *context)
{
	const struct live_function *functions = context;
	const struct live_function *left = &functions[*(const uint32_t *)a], *right = &functions[*(const uint32_t *)b];
	int order = compare(recent_self(left), recent_self(right));

	if (!order)
		order = compare(left->now.self, right->now.self);
	return order ? order : *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

static int by_self_cpu(const void *a, const void *b, void *context)
{
	const struct live_function *functions = context;
	const struct live_function *left = &functions[*(const uint32_t *)a], *right = &functions[*(const uint32_t *)b];
	int order = compare(recent_cpu(left), recent_cpu(right));

	if (!order)
		order = compare(cpu_of(&left->now), cpu_of(&right->now));
	return order ? order : by_self(a, b, context);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

struct walk {
	const struct live *live;
	struct functions *functions;
	const struct clock_map *clock;
	const struct table_sink *sink;
	uint64_t recent, all; /* the sums for percentages */
	bool has_cpu, by_cpu;
};

static bool is_shown(const struct walk *walk, int column)
{
	return walk->has_cpu || (column != SELF_CPU && column != ALL_CPU);
}

static void begin(const struct walk *walk, struct column columns[COLUMN_COUNT])
{
	uint32_t count = 0;

	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (!is_shown(walk, i))
			continue;
		columns[count] = all_columns[i];
		if (i == SELF)
			columns[count].title = by_title(walk->has_cpu, "self", "self wall");
		if (i == ALL_SELF)
			columns[count].title = by_title(walk->has_cpu, "all self", "all wall");
		if (i == PERCENT)
			columns[count].title = by_percent_title(walk->has_cpu, walk->by_cpu, "self %");
		count++;
	}
	walk->sink->begin(walk->sink->context, "top", columns, count);
}

static void write_row(const struct walk *walk, uint32_t id)
{
	const struct live_function *function = &walk->live->functions[id];
	uint64_t interval = walk->live->interval_ns, calls = difference(function->now.calls, function->before.calls);
	struct cell shown[COLUMN_COUNT], cells[COLUMN_COUNT] = {
		[RATE] = {.count = interval ? real_to_u64((double)calls * 1e9 / (double)interval) : 0, .absent = !interval,
			.unsure = walk->live->lost},
		[PERCENT] = {.real = percent(walk->by_cpu ? recent_cpu(function) : recent_self(function), walk->recent)},
		[SELF] = {.count = clock_duration_ns(walk->clock, recent_self(function))},
		[SELF_CPU] = {.count = clock_duration_ns(walk->clock, recent_cpu(function))},
		[CALLS] = {.count = function->now.calls},
		[ALL_PERCENT] = {.real = percent(walk->by_cpu ? cpu_of(&function->now) : function->now.self, walk->all)},
		[ALL_SELF] = {.count = clock_duration_ns(walk->clock, function->now.self)},
		[ALL_CPU] = {.count = clock_duration_ns(walk->clock, cpu_of(&function->now))},
		[ALL_TOTAL] = {.count = clock_duration_ns(walk->clock, function->now.total)},
		[NAME] = {.text = functions_get_name(walk->functions, id), .function = id + 1},
	};
	uint32_t count = 0;

	/* A thread inside this function has reported nothing for a while, and may have been on the CPU. */
	cells[SELF_CPU].unsure = cells[ALL_CPU].unsure = clock_duration_ns(walk->clock, function->now.tail) > interval / 100;
	for (int i = SELF; i < NAME; i++)
		cells[i].absent |= i != CALLS && function->is_untimed;
	for (int i = 0; i < COLUMN_COUNT; i++)
		if (is_shown(walk, i))
			shown[count++] = cells[i];
	walk->sink->row(walk->sink->context, shown);
}

bool live_write(const struct live *live, struct model *model, enum by by, uint64_t limit, struct table_sink *sink)
{
	struct walk walk = {.live = live,
		.functions = model_get_functions(model),
		.clock = model_get_clock(model),
		.sink = sink,
		.has_cpu = model_has_switches(model),
		.by_cpu = model_has_switches(model) && by != BY_WALL};
	uint32_t *ids = malloc((live->count ? live->count : 1) * sizeof *ids), count = 0;
	struct column columns[COLUMN_COUNT];

	if (!ids)
		return false;
	for (uint32_t id = 0; id < live->count; id++) {
		const struct live_function *function = &live->functions[id];

		walk.recent += walk.by_cpu ? recent_cpu(function) : recent_self(function);
		walk.all += walk.by_cpu ? cpu_of(&function->now) : function->now.self;
		if (function->now.calls || function->now.total)
			ids[count++] = id;
	}
	qsort_r(ids, count, sizeof *ids, walk.by_cpu ? by_self_cpu : by_self, live->functions);
	begin(&walk, columns);
	for (uint32_t i = 0; i < count && i < limit; i++)
		write_row(&walk, ids[i]);
	sink->end(sink->context);
	free(ids);
	return true;
}
