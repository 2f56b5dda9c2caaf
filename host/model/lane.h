/* lane: the calls of one stream in order of entry, chunk by chunk; and the merge of all lanes by time. For entry_order.c. */
#ifndef DWELL_HOST_MODEL_LANE_H
#define DWELL_HOST_MODEL_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* The most calls without entry. All are kept, as no chunk contains them: as many as the stack was deep when
 * the recording began. A trace with more is damaged. */
#define LANE_ORPHANS_MAX (1u << 20)

/* A chunk's range in the list of all kept calls. */
struct lane_share {
	size_t first;
	uint32_t count;
};

/* Zeroed but for the first two fields: empty. */
struct lane {
	uint32_t stream;
	uint64_t begin_ticks; /* no call of the stream was entered earlier; UINT64_MAX: it has no calls */
	struct lane_share *shares; /* by chunk of the stream */
	size_t share_count, share_capacity;
	/* Calls without entry. After a gap that hides which calls were open, an orphan encloses everything the thread did since.
	 * The enclosed calls keep the depths from the pairing, as if the orphan did not exist. */
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
/* The next call of the lane. False: the next chunk has to be decoded first, or there is no more. */
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
/* Moves the top lane, which has changed, to its place, or removes an empty one. */
void lane_heap_settle(struct lane_heap *heap);
void lane_heap_free(struct lane_heap *heap);

#endif
