/* lane: a stream's calls in order of entry, and a heap of lanes by time. */
#include "model/lane.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

bool lane_add_share(struct lane *lane)
{
	if (!array_reserve(&lane->shares, &lane->share_capacity, lane->share_count + 1, sizeof *lane->shares))
		return false;
	lane->shares[lane->share_count++] = (struct lane_share){0};
	return true;
}

bool lane_add_chunk(struct lane *lane, uint64_t chunk)
{
	if (!array_reserve(&lane->chunks, &lane->chunk_capacity, lane->chunk_count + 1, sizeof *lane->chunks))
		return false;
	lane->chunks[lane->chunk_count++] = chunk;
	return true;
}

bool lane_add_orphan(struct lane *lane, const struct call *call)
{
	if (lane->orphan_count >= LANE_ORPHANS_MAX ||
		!array_reserve(&lane->orphans, &lane->orphan_capacity, lane->orphan_count + 1, sizeof *lane->orphans))
		return false;
	lane->orphans[lane->orphan_count] = *call;
	lane->orphans[lane->orphan_count++].values = NULL; /* their arguments are not in the data */
	if (call->enter_ticks < lane->begin_ticks)
		lane->begin_ticks = call->enter_ticks;
	return true;
}

/* Orphans with the same enter_ticks ended innermost first: reverses each such run. */
static void order_orphans(struct lane *lane)
{
	for (size_t first = 0, end; first < lane->orphan_count; first = end) {
		for (end = first + 1;
			end < lane->orphan_count && lane->orphans[end].enter_ticks == lane->orphans[first].enter_ticks; end++)
			;
		for (size_t low = first, high = end - 1; low < high; low++, high--) {
			struct call call = lane->orphans[low];

			lane->orphans[low] = lane->orphans[high];
			lane->orphans[high] = call;
		}
	}
}

static bool has_orphan(const struct lane *lane)
{
	return lane->orphan_done < lane->orphan_count;
}

/* Entry time of the next row; the earliest possible time, if its chunk is not decoded yet. */
static uint64_t next_row_ticks(const struct lane *lane)
{
	if (lane->row_done < lane->row_count)
		return lane->rows[lane->row_done].enter_ticks;
	if (lane->chunk_done == lane->chunk_count)
		return UINT64_MAX;
	return lane->chunk_done ? lane->floor_ticks : lane->begin_ticks;
}

static uint64_t next_ticks(const struct lane *lane)
{
	uint64_t ticks = next_row_ticks(lane);

	return has_orphan(lane) && lane->orphans[lane->orphan_done].enter_ticks < ticks
		       ? lane->orphans[lane->orphan_done].enter_ticks
		       : ticks;
}

static bool is_empty(const struct lane *lane)
{
	return !has_orphan(lane) && lane->row_done == lane->row_count && lane->chunk_done == lane->chunk_count;
}

bool lane_take(struct lane *lane, struct call *call)
{
	if (has_orphan(lane) && lane->orphans[lane->orphan_done].enter_ticks <= next_row_ticks(lane)) {
		*call = lane->orphans[lane->orphan_done++];
		return true;
	}
	if (lane->row_done == lane->row_count)
		return false;
	*call = lane->rows[lane->row_done];
	if (lane->row_done < lane->value_capacity)
		call->values = &lane->values[lane->row_done];
	lane->row_done++;
	return true;
}

void lane_clear(struct lane *lane)
{
	free(lane->shares);
	free(lane->orphans);
	free(lane->chunks);
	free(lane->rows);
	free(lane->values);
	*lane = (struct lane){0};
}

/* By time, then by order of the streams. */
static bool comes_before(const struct lane *a, const struct lane *b)
{
	uint64_t a_ticks = next_ticks(a), b_ticks = next_ticks(b);

	return a_ticks != b_ticks ? a_ticks < b_ticks : a < b;
}

static void sink_down(struct lane_heap *heap, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
		struct lane *lane = heap->lanes[at];

		if (child + 1 < heap->count && comes_before(heap->lanes[child + 1], heap->lanes[child]))
			child++;
		if (!comes_before(heap->lanes[child], lane))
			return;
		heap->lanes[at] = heap->lanes[child];
		heap->lanes[child] = lane;
	}
}

bool lane_heap_init(struct lane_heap *heap, struct lane *lanes, size_t count)
{
	*heap = (struct lane_heap){.lanes = malloc((count ? count : 1) * sizeof(*heap->lanes))};
	if (!heap->lanes)
		return false;
	for (size_t i = 0; i < count; i++) {
		order_orphans(&lanes[i]);
		if (lanes[i].begin_ticks != UINT64_MAX)
			heap->lanes[heap->count++] = &lanes[i];
	}
	for (size_t at = heap->count / 2; at-- > 0;)
		sink_down(heap, at);
	return true;
}

struct lane *lane_heap_top(const struct lane_heap *heap)
{
	return heap->lanes[0];
}

void lane_heap_settle(struct lane_heap *heap)
{
	struct lane *top = heap->lanes[0];

	if (is_empty(top)) {
		free(top->rows);
		free(top->values);
		top->rows = NULL;
		top->values = NULL;
		top->value_capacity = top->row_capacity = top->row_count = top->row_done = 0;
		heap->lanes[0] = heap->lanes[--heap->count];
	}
	if (heap->count)
		sink_down(heap, 0);
}

void lane_heap_free(struct lane_heap *heap)
{
	free(heap->lanes);
	*heap = (struct lane_heap){0};
}
