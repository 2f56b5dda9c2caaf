#include "query/parallel/gather.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

static void begin_gathering(struct gathering *gathering, struct gather *gather, size_t limit)
{
	*gathering = (struct gathering){.owner = gather, .all.limit = limit, .inside.limit = limit};
}

static void clear_gathering(struct gathering *gathering)
{
	long_calls_clear(&gathering->all);
	long_calls_clear(&gathering->inside);
	density_clear(&gathering->density);
	free(gathering->slowest);
	free(gathering->touched);
}

void gather_init(struct gather *gather, size_t single_max)
{
	*gather = (struct gather){.single_max = single_max};
	begin_gathering(&gather->whole, gather, single_max);
	begin_gathering(&gather->own, gather, SIZE_MAX);
}

void gather_clear(struct gather *gather)
{
	clear_gathering(&gather->whole);
	clear_gathering(&gather->own);
	free_spans(gather->spans);
}

struct gathering *make_gathering(struct gather *gather)
{
	struct gathering *gathering = malloc(sizeof *gathering);

	if (gathering)
		begin_gathering(gathering, gather, SIZE_MAX);
	return gathering;
}

void free_gathering(struct gathering *gathering)
{
	if (gathering)
		clear_gathering(gathering);
	free(gathering);
}

/* A tick of spans is a nanosecond; some are before the origin. */
#define SPAN_ORIGIN_TICKS (UINT64_C(1) << 62)
static const struct clock_map span_clock = {
	.ns_per_tick = 1, .basis = CLOCK_NOMINAL, .is_of_events = true, .has_origin = true, .origin_ticks = SPAN_ORIGIN_TICKS};

/* So that slices need not become longer again and again. Half as long as they will be at the least: events may begin before calls do. */
static uint32_t find_shift(const struct model *model, const struct reader *reader)
{
	uint64_t first = UINT64_MAX, last = 0;
	uint32_t shift;

	for (uint64_t i = 0; reader && i < reader_chunk_count(reader); i++) {
		struct reader_chunk chunk = reader_get_chunk(reader, i);
		uint32_t thread = model_find_thread(model, chunk.stream);

		if (thread == UINT32_MAX || !model_get_thread(model, thread).selected)
			continue;
		first = chunk.first_ticks < first ? chunk.first_ticks : first;
		last = chunk.last_ticks > last ? chunk.last_ticks : last;
	}
	shift = density_shift_for(first, last);
	return shift ? shift - 1 : 0;
}

void gather_begin(struct gather *gather, const struct model *model, const struct reader *reader)
{
	size_t limit = gather->single_max;

	clear_gathering(&gather->whole);
	clear_gathering(&gather->own);
	begin_gathering(&gather->whole, gather, limit);
	begin_gathering(&gather->own, gather, SIZE_MAX);
	gather->clock = gather->spans ? &span_clock : model_get_clock(model);
	if (gather->spans)
		spans_begin(gather->spans, model);
	gather->floor_ticks = gather->inside_floor_ticks = 0;
	gather->shift = gather->spans ? 0 : find_shift(model, reader);
	density_coarsen(&gather->whole.density, gather->shift);
}

/* ---- the slowest of each function ---- */

static void find_shortest(struct gather_slowest *slowest)
{
	slowest->shortest = 0;
	for (uint32_t i = 1; i < slowest->count; i++)
		if (long_call_is_longer(&slowest->calls[slowest->shortest], &slowest->calls[i]))
			slowest->shortest = i;
}

static bool reserve(struct gathering *gathering, uint32_t function)
{
	size_t had = gathering->function_count;

	if (function < had)
		return true;
	if (!array_reserve(&gathering->slowest, &gathering->function_capacity, (size_t)function + 1, sizeof *gathering->slowest))
		return false;
	memset(gathering->slowest + had, 0, (gathering->function_capacity - had) * sizeof *gathering->slowest);
	gathering->function_count = gathering->function_capacity;
	return true;
}

static void add_slowest(struct gathering *gathering, const struct long_call *call)
{
	struct gather_slowest *slowest;

	if (!reserve(gathering, call->function)) {
		gathering->has_failed = true;
		return;
	}
	slowest = &gathering->slowest[call->function];
	if (slowest->count == GATHER_SLOWEST) {
		if (!long_call_is_longer(call, &slowest->calls[slowest->shortest]))
			return;
		slowest->calls[slowest->shortest] = *call;
		find_shortest(slowest);
		return;
	}
	if (!slowest->count) {
		if (!array_reserve(&gathering->touched, &gathering->touched_capacity, gathering->touched_count + 1,
			    sizeof *gathering->touched)) {
			gathering->has_failed = true;
			return;
		}
		gathering->touched[gathering->touched_count++] = call->function;
	}
	slowest->calls[slowest->count++] = *call;
	find_shortest(slowest);
}

static inline void offer_slowest(struct gathering *gathering, const struct call *call)
{
	uint64_t total_ticks = call->exit_ticks - call->enter_ticks;

	if (call->function < gathering->function_count) {
		const struct gather_slowest *slowest = &gathering->slowest[call->function];

		if (slowest->count == GATHER_SLOWEST && total_ticks < slowest->calls[slowest->shortest].total_ticks)
			return;
	}
	add_slowest(gathering, &(struct long_call){
		call->enter_ticks, total_ticks, call->stream, call->function, call->depth, call->flags});
}

static void empty_slowest(struct gathering *gathering)
{
	for (size_t i = 0; i < gathering->touched_count; i++)
		gathering->slowest[gathering->touched[i]].count = 0;
	gathering->touched_count = 0;
}

/* ---- calls ---- */

bool gather_is_inside(const struct gather *gather, uint64_t enter_ticks, uint64_t exit_ticks)
{
	int64_t enter_ns, exit_ns;

	if (!gather->window_count)
		return false;
	enter_ns = clock_moment_ns(gather->clock, enter_ticks);
	exit_ns = clock_moment_ns(gather->clock, exit_ticks);
	for (size_t i = 0; i < gather->window_count; i++)
		if (enter_ns <= gather->windows[i].to_ns && exit_ns >= gather->windows[i].from_ns)
			return true;
	return false;
}

void gather_take(void *context, const struct call *call)
{
	struct gathering *gathering = context;
	struct gather *gather = gathering->owner;

	if (!gathering->all.count && !gathering->density.count) {
		gathering->all.floor_ticks = __atomic_load_n(&gather->floor_ticks, __ATOMIC_RELAXED);
		gathering->inside.floor_ticks = __atomic_load_n(&gather->inside_floor_ticks, __ATOMIC_RELAXED);
		density_coarsen(&gathering->density, __atomic_load_n(&gather->shift, __ATOMIC_RELAXED));
	}
	long_calls_offer(&gathering->all, call);
	if (call->flags & DWELL_CALL_NO_EXIT)
		return; /* how long it took is not known */
	density_add(&gathering->density, call);
	offer_slowest(gathering, call);
	if (gather_is_inside(gather, call->enter_ticks, call->exit_ticks))
		long_calls_offer(&gathering->inside, call);
	/* What is modelled without parts is never too much to be held. */
	if (gathering == &gather->own && gathering->all.count >= 1u << 16)
		gather_keep(gather, gathering);
}

static void take_span(void *context, const struct span *span)
{
	gather_take(context, &(struct call){.stream = span->stream,
				     .function = span->function,
				     .depth = span->depth,
				     .enter_ticks = SPAN_ORIGIN_TICKS + (uint64_t)span->begin_ns,
				     .exit_ticks = SPAN_ORIGIN_TICKS + (uint64_t)span->end_ns,
				     .total_ticks = (uint64_t)(span->end_ns - span->begin_ns)});
}

bool gather_samples(struct gather *gather)
{
	gather->spans = make_spans_for(take_span, &gather->own);
	return gather->spans;
}

void gather_drop(struct gathering *gathering)
{
	gathering->all.count = gathering->all.offered = gathering->inside.count = gathering->inside.offered = 0;
	gathering->all.has_failed = gathering->inside.has_failed = gathering->has_failed = false;
	gathering->all.floor_ticks = gathering->inside.floor_ticks = 0;
	density_empty(&gathering->density);
	empty_slowest(gathering);
}

void gather_keep(struct gather *gather, struct gathering *gathering)
{
	struct gathering *whole = &gather->whole;

	whole->has_failed |= gathering->has_failed;
	long_calls_merge(&whole->all, &gathering->all);
	long_calls_merge(&whole->inside, &gathering->inside);
	density_merge(&whole->density, &gathering->density);
	for (size_t i = 0; i < gathering->touched_count; i++) {
		const struct gather_slowest *slowest = &gathering->slowest[gathering->touched[i]];

		for (uint32_t k = 0; k < slowest->count; k++)
			add_slowest(whole, &slowest->calls[k]);
	}
	gather_drop(gathering);
	__atomic_store_n(&gather->floor_ticks, whole->all.floor_ticks, __ATOMIC_RELAXED);
	__atomic_store_n(&gather->inside_floor_ticks, whole->inside.floor_ticks, __ATOMIC_RELAXED);
	__atomic_store_n(&gather->shift, whole->density.shift, __ATOMIC_RELAXED);
}

/* ---- the end ---- */

static void renumber(struct long_call *calls, size_t call_count, const uint32_t *map, size_t count)
{
	for (size_t i = 0; i < call_count; i++)
		if (calls[i].function < count)
			calls[i].function = map[calls[i].function];
}

void gather_renumber(struct gather *gather, const uint32_t *map, size_t count)
{
	struct gathering *whole = &gather->whole, *fresh = make_gathering(gather);

	renumber(whole->all.calls, whole->all.count, map, count);
	renumber(whole->inside.calls, whole->inside.count, map, count);
	density_renumber(&whole->density, map, count);
	if (!fresh) {
		whole->has_failed = true;
		return;
	}
	for (size_t i = 0; i < whole->touched_count; i++) {
		struct gather_slowest *slowest = &whole->slowest[whole->touched[i]];

		renumber(slowest->calls, slowest->count, map, count);
		for (uint32_t k = 0; k < slowest->count; k++)
			add_slowest(fresh, &slowest->calls[k]);
	}
	whole->has_failed |= fresh->has_failed;
	free(whole->slowest);
	free(whole->touched);
	whole->slowest = fresh->slowest;
	whole->function_count = fresh->function_count;
	whole->function_capacity = fresh->function_capacity;
	whole->touched = fresh->touched;
	whole->touched_count = fresh->touched_count;
	whole->touched_capacity = fresh->touched_capacity;
	free(fresh);
}

bool gather_end(struct gather *gather)
{
	struct gathering *whole = &gather->whole;

	if (gather->spans)
		whole->has_failed |= !spans_finish(gather->spans);
	gather_keep(gather, &gather->own);
	long_calls_settle(&whole->all);
	long_calls_settle(&whole->inside);
	return !whole->has_failed && !whole->all.has_failed && !whole->inside.has_failed && !whole->density.has_failed;
}
