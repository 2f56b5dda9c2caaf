/* calls: puts single calls, the density of all calls, and the states of threads into a page. For samples,
 * spans take the place of calls. */
#include <stdlib.h>
#include <string.h>

#include "cmd/html/page.h"
#include "util/real.h"
#include "util/sorted.h"

#define CALL_UNSURE (DWELL_CALL_NO_ENTRY | DWELL_CALL_GAP | DWELL_CALL_OPEN)

static uint32_t rank_of(const void *model, uint32_t stream)
{
	return model_find_thread(model, stream);
}

/* The calls of a thread in order of entry, as columns of differences, which are small numbers. */
static void put_columns(struct page *page, const struct clock_map *clock, const struct long_call *calls, size_t count)
{
	int64_t before_ns = 0;
	uint32_t depth = 0;

	page_add(page, PAGE_CALLS, count);
	for (size_t i = 0; i < count; i++) {
		int64_t enter_ns = clock_moment_ns(clock, calls[i].enter_ticks);

		page_add_signed(page, PAGE_CALLS, enter_ns - before_ns);
		before_ns = enter_ns;
	}
	for (size_t i = 0; i < count; i++)
		page_add(page, PAGE_CALLS, clock_duration_ns(clock, calls[i].total_ticks));
	for (size_t i = 0; i < count; i++)
		page_add(page, PAGE_CALLS, (uint64_t)calls[i].function << 1 | !!(calls[i].flags & CALL_UNSURE));
	for (size_t i = 0; i < count; i++) {
		page_add_signed(page, PAGE_CALLS, (int64_t)calls[i].depth - depth);
		depth = calls[i].depth;
	}
}

/* ---- density ---- */

static bool is_same_cell(const struct density_piece *a, const struct density_piece *b)
{
	return a->stream == b->stream && a->depth == b->depth && a->slice == b->slice;
}

/* Sums up the pieces of a cell, which is a slice of time at a depth of a thread; each piece is a function. pre: sorted, the
 * largest piece of a cell first. Returns the number of pieces. */
static size_t sum_cell(const struct density_piece *pieces, size_t count, uint64_t *ticks, uint64_t *calls)
{
	size_t n = 0;

	*ticks = *calls = 0;
	for (; n < count && is_same_cell(&pieces[n], pieces); n++) {
		*ticks += pieces[n].ticks;
		*calls += pieces[n].calls;
	}
	return n;
}

/* The share of part in whole, in 255ths; 0 only if part or whole is 0. */
static uint64_t part_of(uint64_t part, uint64_t whole)
{
	uint64_t scaled = whole ? real_to_u64(255.0 * (double)part / (double)whole + 0.5) : 0;

	return scaled > 255 ? 255 : part && !scaled ? 1 : scaled;
}

/* Puts the cells of one depth of a thread. Returns the number of their pieces. */
static size_t put_row(struct page *page, const struct density *density, const struct density_piece *pieces, size_t count)
{
	uint64_t before = density->first_slice, ticks, calls;
	size_t end = 0, cells = 0;

	for (; end < count && pieces[end].stream == pieces->stream && pieces[end].depth == pieces->depth; end++)
		cells += !end || pieces[end].slice != pieces[end - 1].slice;
	page_add(page, PAGE_DENSITY, pieces->depth);
	page_add(page, PAGE_DENSITY, cells);
	for (size_t i = 0; i < end;) {
		page_add(page, PAGE_DENSITY, pieces[i].slice - before);
		before = pieces[i].slice;
		i += sum_cell(&pieces[i], end - i, &ticks, &calls);
	}
	for (size_t i = 0; i < end; i += sum_cell(&pieces[i], end - i, &ticks, &calls))
		page_add(page, PAGE_DENSITY, pieces[i].function);
	for (size_t i = 0, n; i < end; i += n) {
		n = sum_cell(&pieces[i], end - i, &ticks, &calls);
		page_add(page, PAGE_DENSITY, part_of(ticks, UINT64_C(1) << density->shift) << 8 | part_of(pieces[i].ticks, ticks));
	}
	for (size_t i = 0, n; i < end; i += n) {
		n = sum_cell(&pieces[i], end - i, &ticks, &calls);
		page_add(page, PAGE_DENSITY, calls);
	}
	return end;
}

static uint32_t count_rows(const struct density_piece *pieces, size_t count, uint32_t stream)
{
	uint32_t rows = 0;

	for (size_t i = 0; i < count && pieces[i].stream == stream; i++)
		rows += !i || pieces[i].depth != pieces[i - 1].depth;
	return rows;
}

static void put_density(struct page *page, const struct model *model, const struct clock_map *clock, struct density *density)
{
	uint64_t slices = density->last_slice - density->first_slice + 1;
	int64_t from_ns = clock_moment_ns(clock, density->first_slice << density->shift);

	density_sort(density);
	page_open_object(page, "density");
	page_put_signed(page, "from_ns", from_ns);
	page_put_real(page, "slice_ns", (double)clock_duration_ns(clock, slices << density->shift) / (double)slices);
	page_put_count(page, "slices", slices);
	page_put_count(page, "depth_max", DENSITY_DEPTH_MAX);
	page_close(page);
	for (uint32_t thread = 0; thread < model_thread_count(model); thread++) {
		uint32_t stream = model_get_thread(model, thread).stream;
		size_t at = SORTED_BELOW(struct density_piece, stream, density->pieces, density->count, stream);

		page_add(page, PAGE_DENSITY, count_rows(&density->pieces[at], density->count - at, stream));
		while (at < density->count && density->pieces[at].stream == stream)
			at += put_row(page, density, &density->pieces[at], density->count - at);
	}
}

/* ---- when threads were off the CPU ---- */

#define STATE_SUM 3u /* besides the kinds of enum off_cpu_kind: a sum over several intervals */

/* The intervals of a thread in order: beginning, length and kind; for a sum, also its parts by kind. */
static void put_thread_states(struct page *page, const struct clock_map *clock, const struct off_cpu_slice *times, size_t count)
{
	int64_t before_ns = 0;

	page_add(page, PAGE_STATES, count);
	for (size_t i = 0; i < count; i++) {
		int64_t begin_ns = clock_moment_ns(clock, times[i].begin_ticks);
		uint64_t length_ns = clock_duration_ns(clock, times[i].end_ticks - times[i].begin_ticks);
		uint32_t kind = OFF_CPU_WAITING;

		while (kind < STATE_SUM && times[i].ticks[kind] != times[i].end_ticks - times[i].begin_ticks)
			kind++;
		page_add_signed(page, PAGE_STATES, begin_ns - before_ns);
		page_add(page, PAGE_STATES, length_ns << 2 | kind);
		for (uint32_t k = 0; kind == STATE_SUM && k < STATE_SUM; k++)
			page_add(page, PAGE_STATES, clock_duration_ns(clock, times[i].ticks[k]));
		before_ns = begin_ns;
	}
}

static void put_states(
	struct page *page, const struct model *model, const struct clock_map *clock, const struct off_cpu_times *times)
{
	page_put_count(page, "states_apart_ns", times->shift ? clock_duration_ns(clock, UINT64_C(1) << times->shift) : 0);
	for (uint32_t thread = 0; thread < model_thread_count(model); thread++) {
		uint32_t stream = model_get_thread(model, thread).stream;
		size_t first = SORTED_BELOW(struct off_cpu_slice, stream, times->times, times->count, stream), end;

		for (end = first; end < times->count && times->times[end].stream == stream;)
			end++;
		put_thread_states(page, clock, end > first ? &times->times[first] : NULL, end - first);
	}
}

/* ---- the slowest calls ---- */

static int by_length(const void *left, const void *right)
{
	return long_call_is_longer(left, right) ? -1 : long_call_is_longer(right, left);
}

/* For each function, the slowest calls, the longest first. The values of a call follow one another: thread,
 * beginning, duration, depth, unsure. */
static void put_slowest(struct page *page, const struct model *model, const struct clock_map *clock, struct page_part *whole)
{
	page_open_array(page, "slowest");
	for (uint32_t id = 0; id < model_get_profile(model)->function_count; id++) {
		struct page_calls_slowest *slowest = id < whole->function_count ? &whole->slowest[id] : NULL;

		if (!slowest || !slowest->count) {
			page_put_null(page, NULL);
			continue;
		}
		qsort(slowest->calls, slowest->count, sizeof *slowest->calls, by_length);
		page_open_array(page, NULL);
		for (uint32_t i = 0; i < slowest->count; i++) {
			const struct long_call *call = &slowest->calls[i];

			page_put_count(page, NULL, model_find_thread(model, call->stream));
			page_put_signed(page, NULL, clock_moment_ns(clock, call->enter_ticks));
			page_put_count(page, NULL, clock_duration_ns(clock, call->total_ticks));
			page_put_count(page, NULL, call->depth);
			page_put_count(page, NULL, !!(call->flags & CALL_UNSURE));
		}
		page_close(page);
	}
	page_close(page);
}

void html_page_put_calls(struct page *page, const struct html_source *source)
{
	const struct model *model = source->trace->model;
	const struct clock_map *clock = source->page_calls->clock;
	struct page_part *whole = &source->page_calls->whole;
	uint64_t offered = whole->all.offered;
	bool is_whole = whole->all.count == offered;
	uint64_t floor_ticks = whole->all.floor_ticks;
	size_t at = 0;

	long_calls_sort(&whole->all, rank_of, model);
	page_open_object(page, "calls");
	page_put_count(page, "count", offered);
	page_put_count(page, "single", whole->all.count);
	page_put_flag(page, "whole", is_whole);
	page_put_count(page, "longest_ns", is_whole ? 0 : clock_duration_ns(clock, floor_ticks));
	page_close(page);
	put_slowest(page, model, clock, whole);
	put_states(page, model, clock, &whole->off_cpu_times);
	for (uint32_t thread = 0; thread < model_thread_count(model); thread++) {
		uint32_t stream = model_get_thread(model, thread).stream;
		size_t first = at;

		while (at < whole->all.count && whole->all.calls[at].stream == stream)
			at++;
		put_columns(page, clock, at > first ? whole->all.calls + first : NULL, at - first);
	}
	if (!is_whole && whole->density.count)
		put_density(page, model, clock, &whole->density);
	else
		page_put_null(page, "density");
}
