/* lane: the calls of one stream in order of entry, chunk by chunk; and the merge of all lanes by time. For entry_order.c. */
#ifndef DWELL_HOST_MODEL_LANE_H
#define DWELL_HOST_MODEL_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* The most calls without entry in a lane. No chunk has their entries, so the lane keeps them all. A sound recording has as many as
 * the stack was deep when the recording began. */
#define LANE_ORPHANS_MAX (1u << 20)

/* The kept ends of one chunk: a range in kept of entry_order.c. */
struct lane_share {
	size_t first;
	uint32_t count;
};

/* Fields that end in _done count the elements that lane_take has passed on. Zeroed but for the first two fields: empty. */
struct lane {
	uint32_t stream;
	uint64_t begin_ticks; /* no call of the stream was entered earlier; UINT64_MAX: it has no calls */
	struct lane_share *shares; /* index: chunk of the stream, counted from 0 */
	size_t share_count, share_capacity;
	/* Orphans: calls without entry. After a gap that hides which calls were open, an orphan encloses all calls since the gap.
	 * The enclosed calls keep their depths, as if the orphan did not exist. */
	struct call *orphans; /* in order of their ends; lane_heap_init sorts them */
	size_t orphan_count, orphan_capacity, orphan_done;
	uint64_t *chunks; /* numbers of the stream's chunks */
	size_t chunk_count, chunk_capacity, chunk_done;
	struct call *rows; /* of the chunk decoded last */
	size_t row_count, row_capacity, row_done;
	bool is_full; /* no memory for another row; not tried again in this chunk, as each attempt costs system calls */
	struct call_values *values; /* of the rows, with want_values */
	size_t value_capacity;
	uint64_t floor_ticks; /* later chunks have no earlier entry */
};

/* False: no memory. */
bool lane_add_share(struct lane *lane);
bool lane_add_chunk(struct lane *lane, uint64_t chunk);
/* False: no memory, or too many. */
bool lane_add_orphan(struct lane *lane, const struct call *call);
/* Stores the next call of the lane in *call. False: the caller must decode the next chunk first, or the lane is empty. */
bool lane_take(struct lane *lane, struct call *call);
void lane_clear(struct lane *lane);

/* The lanes with calls left. The lane with the earliest next call is on top. */
struct lane_heap {
	struct lane **lanes;
	size_t count;
};

/* False: no memory. The lanes must not move. */
bool lane_heap_init(struct lane_heap *heap, struct lane *lanes, size_t count);
struct lane *lane_heap_top(const struct lane_heap *heap);
/* Call after lane_take and after decoding a chunk: moves the top lane to the right place, or removes an empty lane. */
void lane_heap_settle(struct lane_heap *heap);
void lane_heap_free(struct lane_heap *heap);

#endif
