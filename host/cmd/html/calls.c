/* Single calls of a page, and how dense the others are. Of samples: what a thread's have in common. */
#include <stdlib.h>
#include <string.h>

#include "cmd/html/page.h"

#define CALL_UNSURE (DWELL_CALL_NO_ENTRY | DWELL_CALL_GAP | DWELL_CALL_OPEN)

static uint32_t rank_of(const void *model, uint32_t stream)
{
	return model_find_thread(model, stream);
}

/* The calls of one thread, in order of entry: so each number is near the one before. */
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

static bool is_same_call(const struct long_call *a, const struct long_call *b)
{
	return a->enter_ticks == b->enter_ticks && a->depth == b->depth && a->total_ticks == b->total_ticks && a->function == b->function &&
	       a->stream == b->stream;
}

/* Those of windows beside the longest: once each. Both are in order. False: no memory. */
static bool add_windows(struct page_part *whole, const struct model *model)
{
	struct long_calls *all = &whole->all, *inside = &whole->inside;
	size_t had = all->count;

	if (!inside->count)
		return true;
	all->limit = SIZE_MAX;
	all->floor_ticks = 0;
	for (size_t i = 0; i < inside->count; i++)
		long_calls_add(all, &inside->calls[i]);
	long_calls_sort(all, rank_of, model);
	had = 0;
	for (size_t i = 0; i < all->count; i++)
		if (!had || !is_same_call(&all->calls[had - 1], &all->calls[i]))
			all->calls[had++] = all->calls[i];
	all->count = had;
	return !all->has_failed;
}

static void put_windows(struct page *page, const struct page_calls *page_calls, uint64_t inside_offered, bool all_inside)
{
	page_open_array(page, "windows");
	for (size_t i = 0; i < page_calls->window_count; i++) {
		page_open_array(page, NULL);
		page_put_signed(page, NULL, page_calls->windows[i].from_ns);
		page_put_signed(page, NULL, page_calls->windows[i].to_ns);
		page_close(page);
	}
	page_close(page);
	page_put_count(page, "window_calls", inside_offered);
	page_put_flag(page, "windows_whole", all_inside);
}

/* ---- density ---- */

static bool is_same_cell(const struct density_piece *a, const struct density_piece *b)
{
	return a->stream == b->stream && a->depth == b->depth && a->slice == b->slice;
}

/* The pieces of one cell, the largest first: what all took, and how often they were called. */
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

/* In 255ths, but nothing that there is becomes nothing. */
static uint64_t part_of(uint64_t part, uint64_t whole)
{
	uint64_t scaled = whole ? (uint64_t)(255.0 * (double)part / (double)whole + 0.5) : 0;

	return scaled > 255 ? 255 : part && !scaled ? 1 : scaled;
}

/* A row of cells: one thread, one depth. Returns how many pieces. */
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
		size_t at = 0, low = 0, high = density->count;

		while (low < high) { /* by stream first */
			size_t middle = low + (high - low) / 2;

			if (density->pieces[middle].stream < stream)
				low = middle + 1;
			else
				high = middle;
		}
		at = low;
		page_add(page, PAGE_DENSITY, count_rows(&density->pieces[at], density->count - at, stream));
		while (at < density->count && density->pieces[at].stream == stream)
			at += put_row(page, density, &density->pieces[at], density->count - at);
	}
}

/* ---- the slowest ---- */

static int by_length(const void *left, const void *right)
{
	return long_call_is_longer(left, right) ? -1 : long_call_is_longer(right, left);
}

/* Of each function, the longest first: thread, when, how long, depth, unsure; one behind the other. */
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

bool html_page_put_calls(struct page *page, const struct html_source *source)
{
	const struct model *model = source->trace->model;
	const struct clock_map *clock = source->page_calls->clock;
	struct page_part *whole = &source->page_calls->whole;
	uint64_t offered = whole->all.offered, inside = whole->inside.offered;
	bool is_whole = whole->all.count == offered, all_inside = whole->inside.count == inside, good;
	uint64_t floor_ticks = whole->all.floor_ticks;
	size_t at = 0;

	long_calls_sort(&whole->all, rank_of, model);
	good = is_whole || add_windows(whole, model);
	page_open_object(page, "calls");
	page_put_count(page, "count", offered);
	page_put_count(page, "single", whole->all.count);
	page_put_flag(page, "whole", is_whole);
	page_put_count(page, "longest_ns", is_whole ? 0 : clock_duration_ns(clock, floor_ticks));
	put_windows(page, source->page_calls, inside, is_whole || all_inside);
	page_close(page);
	put_slowest(page, model, clock, whole);
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
	return good;
}
