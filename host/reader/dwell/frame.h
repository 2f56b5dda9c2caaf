/* frame: bytes in, chunks out. A pump without I/O: a file, a pipe and a wire differ in who fills the window.
 *
 * The caller holds a window of the file, the first byte of which stands at frame->offset, and asks for the next item:
 *
 *     FRAME_NEED  → get more, until the window has item.need bytes, or say that the end is reached
 *     FRAME_END   → done
 *     any other   → use the item, then drop item.bytes from the front of the window
 *
 * Items follow each other without a gap: together they are the file. After damage the pump looks for the next marker that stands at
 * the head of a header whose CRC is right; what is intact behind it is found again. The work is linear in the size of the file, whatever
 * is in it. */
#ifndef DWELL_HOST_READER_DWELL_FRAME_H
#define DWELL_HOST_READER_DWELL_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "pack/pack.h"
#include "util/bytes.h"

enum frame_status {
	FRAME_NEED,        /* the window is too small to tell */
	FRAME_CHUNK,       /* a whole chunk */
	FRAME_BAD_PAYLOAD, /* a chunk whose header is right and whose payload is not */
	FRAME_CUT,         /* a chunk that ends with the file: the payload is as far as it goes; kind 0 when not even the header is whole */
	FRAME_DAMAGE,      /* bytes that are no chunk; a region of damage may come in several such items */
	FRAME_END,
};

/* The header of a chunk: FORMAT.md. */
struct frame_chunk {
	uint64_t offset; /* of the header in the file */
	uint16_t kind, flags;
	uint32_t length, stream, sequence, events, frames, unpacked;
	uint32_t payload_crc, payload_crc_found; /* as it should be, as it is */
	uint64_t first_ticks, last_ticks, floor_ticks;
	struct bytes payload; /* points into the window */
};

struct frame_item {
	uint64_t offset;
	uint64_t bytes;
	size_t need;
	struct frame_chunk chunk; /* CHUNK, BAD_PAYLOAD, CUT */
};

struct frame {
	uint64_t offset; /* in the file, of the window's first byte */
	bool lost;       /* no header is expected here: look for one */
	uint64_t debt;   /* bytes looked at more than once so far */
};

/* Starts behind the file header. */
void frame_init(struct frame *frame, uint64_t offset);

/* end: nothing follows the window. */
enum frame_status frame_next(struct frame *frame, struct bytes window, bool end, struct frame_item *item);

/* A packed chunk of SLOTS, for pack/pack.h. */
struct packed frame_get_packed(const struct frame_chunk *chunk);

/* Whether a header with marker and right CRC stands at the front of the bytes. Fills everything but the payload. */
bool frame_parse_header(struct bytes bytes, struct frame_chunk *chunk);
/* Where in the bytes such a header stands, at from or behind it; bytes.size when nowhere. */
size_t frame_find_header(struct bytes bytes, size_t from);

#endif
