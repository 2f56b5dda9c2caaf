/* session_ring: reads a ring as the payload of a SLOTS chunk. */
#include <stdlib.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "reader/dwell/session_ring.h"
#include "util/array.h"

/* A piece of the ring, in the file. */
struct piece {
	uint64_t offset;
	size_t bytes;
};

/* Returns the piece, shortened to what the file has. */
static struct piece clip(struct source *source, uint64_t offset, uint64_t bytes)
{
	uint64_t size = source_size(source), there = offset < size ? size - offset : 0;

	return (struct piece){offset, (size_t)(bytes < there ? bytes : there)};
}

/* Splits positions [begin, end) into two pieces: up to where the data wraps, and from the start
 * of the data on. If the file ends inside of the first piece (which lies behind the second in the
 * file), takes the second alone: between them an unknown number of slots would be missing. */
static void find_pieces(const struct session_layout *layout, struct source *source, uint32_t slot, struct dwell_extent *part,
	struct piece pieces[2])
{
	uint64_t data = session_layout_ring(layout, slot) + DWELL_RING_HEADER_BYTES, at = part->begin & (layout->ring_bytes - 1);
	uint64_t bytes = part->end - part->begin, first = layout->ring_bytes - at < bytes ? layout->ring_bytes - at : bytes;

	pieces[0] = clip(source, data + at, first);
	pieces[1] = clip(source, data, bytes - first);
	if (pieces[0].bytes == first || !pieces[1].bytes)
		return;
	pieces[0].bytes = 0;
	part->begin += first;
}

const char *session_ring_load(struct session_ring *ring, const struct session_layout *layout, struct source *source, uint32_t slot)
{
	struct dwell_extent extent, now;
	struct piece pieces[2];
	uint64_t whole;
	size_t size, gone = 0;

	if (!session_layout_extent(layout, source, slot, &extent, &ring->lost_events))
		return "says what cannot be";
	whole = extent.end - extent.begin;
	find_pieces(layout, source, slot, &extent, pieces);
	size = pieces[0].bytes + pieces[1].bytes;
	if (!array_reserve(&ring->payload, &ring->capacity, size + 1, 1))
		return "cannot be read: out of memory";
	if (source_read_at(source, pieces[0].offset, ring->payload, pieces[0].bytes) < pieces[0].bytes ||
		source_read_at(source, pieces[1].offset, ring->payload + pieces[0].bytes, pieces[1].bytes) < pieces[1].bytes)
		return "cannot be read";
	size = size / DWELL_SLOT_BYTES * DWELL_SLOT_BYTES;
	ring->cut = size < whole;
	if (session_layout_extent(layout, source, slot, &now, &ring->lost_events) && now.begin > extent.begin)
		gone = now.begin - extent.begin < size ? (size_t)(now.begin - extent.begin) : size;
	ring->wrapped = extent.begin + gone > 0;
	ring->chunk = (struct raw_chunk){
		.offset = session_layout_ring(layout, slot),
		.kind = DWELL_CHUNK_SLOTS,
		.length = (uint32_t)(size - gone),
		.unpacked = (uint32_t)(size - gone),
		.stream = slot,
		.payload = {ring->payload + gone, size - gone},
	};
	return NULL;
}

void session_ring_clear(struct session_ring *ring)
{
	free(ring->payload);
	*ring = (struct session_ring){0};
}
