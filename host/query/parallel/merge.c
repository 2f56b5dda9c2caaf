#include "query/parallel/merge.h"

#include <stdlib.h>

#include "util/array.h"

/* Where something stands in the order. */
struct key {
	uint64_t ticks;
	uint32_t rank; /* the first chunk of the thread */
};

/* A thread. */
struct row_lane {
	uint32_t rank;
	struct chunk_rows *first, **last; /* that are not used up */
	size_t done;                 /* rows of the first */
	const struct call **orphans; /* calls whose entry is missing, in order */
	size_t orphan_count, orphan_capacity, orphan_done;
	bool is_in; /* the heap */
};

struct merge {
	const struct crossings *crossings;
	struct row_lane *lanes; /* by index of the thread */
	uint32_t lane_count;
	uint32_t *lane_of; /* by chunk */
	struct row_lane **heap; /* of those that have something */
	size_t heap_count;
	struct chunk_rows *used;
};

static bool is_before(struct key a, struct key b)
{
	return a.ticks != b.ticks ? a.ticks < b.ticks : a.rank < b.rank;
}

static uint32_t rank_of(const struct crossings *crossings, uint32_t chunk)
{
	return crossings_get_chunk(crossings, chunk)->stream_first;
}

static struct key need_of(const struct crossings *crossings, uint32_t chunk)
{
	if (chunk == CROSSINGS_NO_CHUNK)
		return (struct key){UINT64_MAX, UINT32_MAX};
	return (struct key){crossings_get_chunk(crossings, chunk)->from_ticks, rank_of(crossings, chunk)};
}

int merge_compare(const struct crossings *crossings, uint32_t a, uint32_t b)
{
	struct key left = need_of(crossings, a), right = need_of(crossings, b);

	if (is_before(left, right))
		return -1;
	if (is_before(right, left))
		return 1;
	return a < b ? -1 : a > b; /* of one thread: as they stand in the file */
}

/* ---- lanes ---- */

static bool has_orphan(const struct row_lane *lane)
{
	return lane->orphan_done < lane->orphan_count;
}

static struct key key_of(const struct row_lane *lane)
{
	struct key key = {UINT64_MAX, lane->rank};

	if (lane->first)
		key.ticks = lane->first->ticks[lane->done];
	if (has_orphan(lane) && lane->orphans[lane->orphan_done]->enter_ticks < key.ticks)
		key.ticks = lane->orphans[lane->orphan_done]->enter_ticks;
	return key;
}

static void sink_down(struct merge *merge, size_t at)
{
	struct row_lane **heap = merge->heap;

	for (size_t child; (child = 2 * at + 1) < merge->heap_count; at = child) {
		struct row_lane *lane = heap[at];

		if (child + 1 < merge->heap_count && is_before(key_of(heap[child + 1]), key_of(heap[child])))
			child++;
		if (!is_before(key_of(heap[child]), key_of(lane)))
			return;
		heap[at] = heap[child];
		heap[child] = lane;
	}
}

static void rise(struct merge *merge, size_t at)
{
	struct row_lane **heap = merge->heap;

	for (size_t above; at && (above = (at - 1) / 2, is_before(key_of(heap[at]), key_of(heap[above]))); at = above) {
		struct row_lane *lane = heap[at];

		heap[at] = heap[above];
		heap[above] = lane;
	}
}

static void put_in(struct merge *merge, struct row_lane *lane)
{
	if (lane->is_in || (!lane->first && !has_orphan(lane)))
		return;
	lane->is_in = true;
	merge->heap[merge->heap_count++] = lane;
	rise(merge, merge->heap_count - 1);
}

/* Something was taken from the lane on top. */
static void settle(struct merge *merge)
{
	struct row_lane *top = merge->heap[0];

	if (!top->first && !has_orphan(top)) {
		top->is_in = false;
		merge->heap[0] = merge->heap[--merge->heap_count];
	}
	sink_down(merge, 0);
}

/* ---- orphans ---- */

static bool add_orphan(struct row_lane *lane, const struct call *call)
{
	if (!array_reserve(&lane->orphans, &lane->orphan_capacity, lane->orphan_count + 1, sizeof *lane->orphans))
		return false;
	lane->orphans[lane->orphan_count++] = call;
	return true;
}

/* Those that are charged from the same moment were left innermost first: turns each such run round. */
static void order_orphans(struct row_lane *lane)
{
	for (size_t first = 0, end; first < lane->orphan_count; first = end) {
		for (end = first + 1;
			end < lane->orphan_count && lane->orphans[end]->enter_ticks == lane->orphans[first]->enter_ticks; end++)
			;
		for (size_t low = first, high = end - 1; low < high; low++, high--) {
			const struct call *call = lane->orphans[low];

			lane->orphans[low] = lane->orphans[high];
			lane->orphans[high] = call;
		}
	}
}

static bool find_orphans(struct merge *merge)
{
	bool good = true;

	for (uint32_t chunk = 0; chunk < crossings_chunk_count(merge->crossings); chunk++) {
		size_t count;
		const struct part_call *ends = crossings_get_ends(merge->crossings, chunk, &count);

		for (size_t i = 0; good && i < count; i++)
			good = ends[i].call.tag || add_orphan(&merge->lanes[merge->lane_of[chunk]], &ends[i].call);
	}
	for (uint32_t i = 0; good && i < merge->lane_count; i++) {
		order_orphans(&merge->lanes[i]);
		put_in(merge, &merge->lanes[i]);
	}
	return good;
}

/* ---- all of it ---- */

struct merge *make_merge(const struct reader *reader, const struct model *model, const struct crossings *crossings)
{
	struct merge *merge = calloc(1, sizeof *merge);
	uint32_t chunks = crossings_chunk_count(crossings);
	bool good;

	if (!merge)
		return NULL;
	merge->crossings = crossings;
	merge->lane_count = model_thread_count(model);
	merge->lanes = calloc(merge->lane_count + (size_t)1, sizeof *merge->lanes);
	merge->heap = malloc((merge->lane_count + (size_t)1) * sizeof(*merge->heap));
	merge->lane_of = malloc((chunks + (size_t)1) * sizeof *merge->lane_of);
	good = merge->lanes && merge->heap && merge->lane_of;
	for (uint32_t i = 0; good && i < merge->lane_count; i++)
		merge->lanes[i].last = &merge->lanes[i].first;
	for (uint32_t chunk = 0; good && chunk < chunks; chunk++) {
		merge->lane_of[chunk] = model_find_thread(model, reader_get_chunk(reader, chunk).stream);
		merge->lanes[merge->lane_of[chunk]].rank = rank_of(crossings, chunk);
	}
	if (good && find_orphans(merge))
		return merge;
	free_merge(merge);
	return NULL;
}

void free_merge(struct merge *merge)
{
	for (uint32_t i = 0; merge->lanes && i < merge->lane_count; i++)
		free(merge->lanes[i].orphans);
	free(merge->lanes);
	free(merge->lane_of);
	free(merge->heap);
	free(merge);
}

static void put_used(struct merge *merge, struct chunk_rows *rows)
{
	rows->next = merge->used;
	merge->used = rows;
}

void merge_add(struct merge *merge, uint32_t chunk, struct chunk_rows *rows)
{
	struct row_lane *lane = &merge->lanes[merge->lane_of[chunk]];
	bool was_empty = !lane->first;

	if (!rows)
		return;
	if (!rows->count) {
		put_used(merge, rows);
		return;
	}
	rows->next = NULL;
	*lane->last = rows;
	lane->last = &rows->next;
	if (was_empty && lane->is_in) { /* by an orphan: what comes first may be a row now */
		for (size_t at = 0; at < merge->heap_count; at++)
			if (merge->heap[at] == lane) {
				rise(merge, at);
				break;
			}
	}
	put_in(merge, lane);
}

static struct key least(struct key a, struct key b)
{
	return is_before(a, b) ? a : b;
}

/* Rows of the lane on top, up to limit. One at least. */
static struct merge_run take_rows(struct merge *merge, struct row_lane *lane, struct key limit)
{
	struct chunk_rows *rows = lane->first;
	uint64_t orphan_ticks = has_orphan(lane) ? lane->orphans[lane->orphan_done]->enter_ticks : UINT64_MAX;
	struct merge_run run = {.rows = rows, .from = lane->done};
	size_t at = lane->done;

	do
		at++;
	while (at < rows->count && is_before((struct key){rows->ticks[at], lane->rank}, limit) && rows->ticks[at] < orphan_ticks);
	run.count = at - run.from;
	lane->done = at;
	if (at < rows->count)
		return run;
	lane->first = rows->next;
	if (!lane->first)
		lane->last = &lane->first;
	lane->done = 0;
	put_used(merge, rows);
	return run;
}

struct merge_run merge_take(struct merge *merge, uint32_t next)
{
	struct key limit = need_of(merge->crossings, next);
	struct merge_run run = {0};
	struct row_lane *top;

	if (!merge->heap_count || !is_before(key_of(merge->heap[0]), limit))
		return run;
	top = merge->heap[0];
	for (size_t child = 1; child < 3 && child < merge->heap_count; child++)
		limit = least(limit, key_of(merge->heap[child]));
	if (has_orphan(top) && (!top->first || top->orphans[top->orphan_done]->enter_ticks <= top->first->ticks[top->done]))
		run.orphan = top->orphans[top->orphan_done++];
	else
		run = take_rows(merge, top, limit);
	settle(merge);
	return run;
}

struct chunk_rows *merge_get_used(struct merge *merge)
{
	struct chunk_rows *rows = merge->used;

	if (rows)
		merge->used = rows->next;
	return rows;
}

struct chunk_rows *merge_get_left(struct merge *merge)
{
	for (uint32_t i = 0; i < merge->lane_count; i++) {
		struct row_lane *lane = &merge->lanes[i];
		struct chunk_rows *rows = lane->first;

		if (!rows)
			continue;
		lane->first = rows->next;
		return rows;
	}
	return merge_get_used(merge);
}
