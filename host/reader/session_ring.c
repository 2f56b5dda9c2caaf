/* session_ring: see session_ring.h. */
#include <stdlib.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "reader/session_ring.h"
#include "util/array.h"

/* Positions [begin, end) of the ring to memory. Returns the bytes that the file has of them, from the first one on. */
static uint64_t read_data(const struct session_layout *layout, struct source *source, uint32_t slot, struct dwell_extent part, uint8_t *to)
{
	uint64_t data = session_layout_ring(layout, slot) + DWELL_RING_HEADER_BYTES, at = part.begin & (layout->ring_bytes - 1);
	uint64_t bytes = part.end - part.begin, first = layout->ring_bytes - at < bytes ? layout->ring_bytes - at : bytes, done;

	done = source_read_at(source, data + at, to, first);
	if (done == first && first < bytes)
		done += source_read_at(source, data, to + first, bytes - first);
	return done;
}

const char *session_ring_load(struct session_ring *ring, const struct session_layout *layout, struct source *source, uint32_t slot)
{
	struct dwell_extent extent, now;
	uint64_t size, gone = 0;

	if (!session_layout_extent(layout, source, slot, &extent, &ring->lost_events))
		return "says what cannot be";
	/* Of a file that ends early there is no more than its size. */
	if (session_layout_ring(layout, slot) > source_size(source))
		return "is behind the end of the file";
	if (!array_reserve(&ring->payload, &ring->capacity, (size_t)(extent.end - extent.begin) + 1, 1))
		return "cannot be read: out of memory";
	size = read_data(layout, source, slot, extent, ring->payload) / DWELL_SLOT_BYTES * DWELL_SLOT_BYTES;
	ring->cut = size < extent.end - extent.begin;
	if (session_layout_extent(layout, source, slot, &now, &ring->lost_events) && now.begin > extent.begin)
		gone = now.begin - extent.begin < size ? now.begin - extent.begin : size;
	ring->wrapped = extent.begin + gone > 0;
	ring->chunk = (struct frame_chunk){
		.offset = session_layout_ring(layout, slot),
		.kind = DWELL_CHUNK_SLOTS,
		.length = (uint32_t)(size - gone),
		.unpacked = (uint32_t)(size - gone),
		.stream = slot,
		.payload = {ring->payload + gone, (size_t)(size - gone)},
	};
	return NULL;
}

void session_ring_clear(struct session_ring *ring)
{
	free(ring->payload);
	*ring = (struct session_ring){0};
}
