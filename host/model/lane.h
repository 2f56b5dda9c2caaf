/* lane: one stream's calls in order of entry, chunk by chunk, and the merge of all lanes by time. For entry_order.c. */
#ifndef DWELL_HOST_MODEL_LANE_H
#define DWELL_HOST_MODEL_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* Calls whose entry is missing are in no chunk's order, so all are kept: there are as many as the stack was deep when the recording
 * began. More are a broken trace. */
#define LANE_ORPHANS_MAX (1u << 20)

/* A chunk's part of what is remembered of all. */
struct lane_share {
	size_t first;
	uint32_t count;
};

/* Zeroed but for the first two: empty. */
struct lane {
	uint32_t stream;
	uint64_t begin_ticks; /* no call of it was entered before; UINT64_MAX: it has none */
	struct lane_share *shares; /* one for each of its chunks */
	size_t share_count, share_capacity;
	/* Behind a gap that hides which calls were open, an orphan is around all that the thread did since, and each of these calls has the
	 * depth that it was paired with: as if the orphan were not there. Nobody raises them. */
	struct call *orphans; /* calls whose entry is missing: as they were left; lane_heap_init puts them in order */
	size_t orphan_count, orphan_capacity, orphan_done;
	uint64_t *chunks; /* their numbers */
	size_t chunk_count, chunk_capacity, chunk_done;
	struct call *rows; /* of the chunk that was decoded last */
	size_t row_count, row_capacity, row_done;
	bool is_full; /* no memory for one more; it is not asked for again in this chunk, as that takes system calls each time */
	struct call_values *values; /* of the rows, where they are wanted */
	size_t value_capacity;
	uint64_t floor_ticks; /* what comes in later chunks is not before this */
};

/* False when there is no memory. */
bool lane_add_share(struct lane *lane);
bool lane_add_chunk(struct lane *lane, uint64_t chunk);
/* False when there is no memory, or too many of them. */
bool lane_add_orphan(struct lane *lane, const struct call *call);
/* The next call of the lane. False when the next chunk has to be decoded first, or there is none. */
bool lane_take(struct lane *lane, struct call *call);
void lane_clear(struct lane *lane);

/* The lanes that have calls left, the one whose next call is the earliest on top. */
struct lane_heap {
	struct lane **lanes;
	size_t count;
};

/* False when there is no memory. The lanes must stay where they are. */
bool lane_heap_init(struct lane_heap *heap, struct lane *lanes, size_t count);
struct lane *lane_heap_top(const struct lane_heap *heap);
/* The top lane has changed: puts it where it belongs, or drops it when nothing is left in it. */
void lane_heap_settle(struct lane_heap *heap);
void lane_heap_free(struct lane_heap *heap);

#endif
