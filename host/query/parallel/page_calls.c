#include "query/parallel/page_calls.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

static void begin_page_part(struct page_part *page_part, struct page_calls *page_calls, size_t limit)
{
	*page_part = (struct page_part){.owner = page_calls, .all.limit = limit};
}

static void clear_page_part(struct page_part *page_part)
{
	long_calls_clear(&page_part->all);
	density_clear(&page_part->density);
	off_cpu_times_clear(&page_part->off_cpu_times);
	free(page_part->slowest);
	free(page_part->touched);
}

void page_calls_init(struct page_calls *page_calls, size_t single_max)
{
	*page_calls = (struct page_calls){.single_max = single_max};
	begin_page_part(&page_calls->whole, page_calls, single_max);
	begin_page_part(&page_calls->own, page_calls, SIZE_MAX);
}

void page_calls_clear(struct page_calls *page_calls)
{
	clear_page_part(&page_calls->whole);
	clear_page_part(&page_calls->own);
	free_spans(page_calls->spans);
}

struct page_part *make_page_part(struct page_calls *page_calls)
{
	struct page_part *page_part = malloc(sizeof *page_part);

	if (page_part)
		begin_page_part(page_part, page_calls, SIZE_MAX);
	return page_part;
}

void free_page_part(struct page_part *page_part)
{
	if (page_part)
		clear_page_part(page_part);
	free(page_part);
}

/* For spans a tick is a nanosecond. Some spans begin before the origin. */
#define SPAN_ORIGIN_TICKS (UINT64_C(1) << 62)
static const struct clock_map span_clock = {
	.ns_per_tick = 1, .basis = CLOCK_NOMINAL, .is_of_events = true, .has_origin = true, .origin_ticks = SPAN_ORIGIN_TICKS};

/* The shift for the density's slices from the start, to avoid repeated coarsening. One less than the final shift, because events
 * may begin before calls do. */
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

void page_calls_begin(struct page_calls *page_calls, const struct model *model, const struct reader *reader)
{
	size_t limit = page_calls->single_max;

	clear_page_part(&page_calls->whole);
	clear_page_part(&page_calls->own);
	begin_page_part(&page_calls->whole, page_calls, limit);
	begin_page_part(&page_calls->own, page_calls, SIZE_MAX);
	page_calls->clock = page_calls->spans ? &span_clock : model_get_clock(model);
	if (page_calls->spans)
		spans_begin(page_calls->spans, model);
	page_calls->floor_ticks = 0;
	page_calls->shift = page_calls->spans ? 0 : find_shift(model, reader);
	density_coarsen(&page_calls->whole.density, page_calls->shift);
}

/* ---- the slowest calls of each function ---- */

static void find_shortest(struct page_calls_slowest *slowest)
{
	slowest->shortest = 0;
	for (uint32_t i = 1; i < slowest->count; i++)
		if (long_call_is_longer(&slowest->calls[slowest->shortest], &slowest->calls[i]))
			slowest->shortest = i;
}

/* Makes room for the function's slowest calls. False: memory ran out. */
static bool reserve(struct page_part *page_part, uint32_t function)
{
	size_t had = page_part->function_count;

	if (function < had)
		return true;
	if (!array_reserve(&page_part->slowest, &page_part->function_capacity, (size_t)function + 1, sizeof *page_part->slowest))
		return false;
	memset(page_part->slowest + had, 0, (page_part->function_capacity - had) * sizeof *page_part->slowest);
	page_part->function_count = page_part->function_capacity;
	return true;
}

static void add_slowest(struct page_part *page_part, const struct long_call *call)
{
	struct page_calls_slowest *slowest;

	if (!reserve(page_part, call->function)) {
		page_part->has_failed = true;
		return;
	}
	slowest = &page_part->slowest[call->function];
	if (slowest->count == PAGE_CALLS_SLOWEST) {
		if (!long_call_is_longer(call, &slowest->calls[slowest->shortest]))
			return;
		slowest->calls[slowest->shortest] = *call;
		find_shortest(slowest);
		return;
	}
	if (!slowest->count) {
		if (!array_reserve(&page_part->touched, &page_part->touched_capacity, page_part->touched_count + 1,
			    sizeof *page_part->touched)) {
			page_part->has_failed = true;
			return;
		}
		page_part->touched[page_part->touched_count++] = call->function;
	}
	slowest->calls[slowest->count++] = *call;
	find_shortest(slowest);
}

/* Adds the call if it is among the slowest calls of its function. */
static inline void offer_slowest(struct page_part *page_part, const struct call *call)
{
	uint64_t total_ticks = call->exit_ticks - call->enter_ticks;

	if (call->function < page_part->function_count) {
		const struct page_calls_slowest *slowest = &page_part->slowest[call->function];

		if (slowest->count == PAGE_CALLS_SLOWEST && total_ticks < slowest->calls[slowest->shortest].total_ticks)
			return;
	}
	add_slowest(page_part, &(struct long_call){
		call->enter_ticks, total_ticks, call->stream, call->function, call->depth, call->flags});
}

static void empty_slowest(struct page_part *page_part)
{
	for (size_t i = 0; i < page_part->touched_count; i++)
		page_part->slowest[page_part->touched[i]].count = 0;
	page_part->touched_count = 0;
}

/* ---- calls ---- */

void page_calls_take(void *context, const struct call *call)
{
	struct page_part *page_part = context;
	struct page_calls *page_calls = page_part->owner;

	if (!page_part->all.count && !page_part->density.count) {
		page_part->all.floor_ticks = __atomic_load_n(&page_calls->floor_ticks, __ATOMIC_RELAXED);
		density_coarsen(&page_part->density, __atomic_load_n(&page_calls->shift, __ATOMIC_RELAXED));
	}
	long_calls_offer(&page_part->all, call);
	if (call->flags & DWELL_CALL_NO_EXIT)
		return; /* its duration is unknown */
	density_add(&page_part->density, call);
	offer_slowest(page_part, call);
	/* A model without parts could collect any number of calls, so the calls are merged from time to time. */
	if (page_part == &page_calls->own && page_part->all.count >= 1u << 16)
		page_calls_keep(page_calls, page_part);
}

void page_calls_take_off(void *context, uint32_t stream, uint64_t begin_ticks, uint64_t end_ticks, enum off_cpu_kind kind)
{
	struct page_part *page_part = context;

	off_cpu_times_add(&page_part->off_cpu_times, stream, begin_ticks, end_ticks, kind);
}

static void take_span(void *context, const struct span *span)
{
	page_calls_take(context, &(struct call){.stream = span->stream,
				     .function = span->function,
				     .depth = span->depth,
				     .enter_ticks = SPAN_ORIGIN_TICKS + (uint64_t)span->begin_ns,
				     .exit_ticks = SPAN_ORIGIN_TICKS + (uint64_t)span->end_ns,
				     .total_ticks = (uint64_t)(span->end_ns - span->begin_ns)});
}

bool page_calls_samples(struct page_calls *page_calls)
{
	page_calls->spans = make_spans_for(take_span, &page_calls->own);
	return page_calls->spans;
}

void page_calls_drop(struct page_part *page_part)
{
	page_part->all.count = page_part->all.offered = 0;
	page_part->all.has_failed = page_part->has_failed = false;
	page_part->all.floor_ticks = 0;
	density_empty(&page_part->density);
	off_cpu_times_empty(&page_part->off_cpu_times);
	empty_slowest(page_part);
}

void page_calls_keep(struct page_calls *page_calls, struct page_part *page_part)
{
	struct page_part *whole = &page_calls->whole;

	whole->has_failed |= page_part->has_failed;
	long_calls_merge(&whole->all, &page_part->all);
	density_merge(&whole->density, &page_part->density);
	off_cpu_times_merge(&whole->off_cpu_times, &page_part->off_cpu_times);
	for (size_t i = 0; i < page_part->touched_count; i++) {
		const struct page_calls_slowest *slowest = &page_part->slowest[page_part->touched[i]];

		for (uint32_t k = 0; k < slowest->count; k++)
			add_slowest(whole, &slowest->calls[k]);
	}
	page_calls_drop(page_part);
	__atomic_store_n(&page_calls->floor_ticks, whole->all.floor_ticks, __ATOMIC_RELAXED);
	__atomic_store_n(&page_calls->shift, whole->density.shift, __ATOMIC_RELAXED);
}

/* ---- the end ---- */

static void renumber(struct long_call *calls, size_t call_count, const uint32_t *map, size_t count)
{
	for (size_t i = 0; i < call_count; i++)
		if (calls[i].function < count)
			calls[i].function = map[calls[i].function];
}

void page_calls_renumber(struct page_calls *page_calls, const uint32_t *map, size_t count)
{
	struct page_part *whole = &page_calls->whole, *fresh = make_page_part(page_calls);

	renumber(whole->all.calls, whole->all.count, map, count);
	density_renumber(&whole->density, map, count);
	if (!fresh) {
		whole->has_failed = true;
		return;
	}
	for (size_t i = 0; i < whole->touched_count; i++) {
		struct page_calls_slowest *slowest = &whole->slowest[whole->touched[i]];

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

bool page_calls_end(struct page_calls *page_calls)
{
	struct page_part *whole = &page_calls->whole;

	if (page_calls->spans)
		whole->has_failed |= !spans_finish(page_calls->spans);
	page_calls_keep(page_calls, &page_calls->own);
	long_calls_settle(&whole->all);
	off_cpu_times_finish(&whole->off_cpu_times);
	return !whole->has_failed && !whole->all.has_failed && !whole->density.has_failed && !whole->off_cpu_times.has_failed;
}
