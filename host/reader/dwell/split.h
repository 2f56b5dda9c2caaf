/* split: splits bytes into chunks. It does no I/O: files, pipes and wires differ only in who fills the window.
 *
 * The caller holds a window of the file, whose first byte is at split->offset, and takes items from the window. split_next
 * moves split->offset behind each item:
 *
 *     SPLIT_NEED  → read more, until the window has item.need bytes, or set end
 *     SPLIT_END   → done
 *     any other   → use the item, then drop item.bytes from the front of the window
 *
 * Items follow each other without a gap: together they are the file. After damage the decoder
 * continues at the next marker that begins a header with a right CRC, so intact chunks behind
 * damage are found. The work is linear in the size of the file, whatever its contents. */
#ifndef DWELL_HOST_READER_DWELL_SPLIT_H
#define DWELL_HOST_READER_DWELL_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "pack/pack.h"
#include "util/bytes.h"

enum split_status {
	SPLIT_NEED,        /* the window is too small */
	SPLIT_CHUNK,       /* a whole chunk */
	SPLIT_BAD_PAYLOAD, /* a chunk with a right header and a bad payload */
	SPLIT_CUT,         /* the file ends inside of this chunk: payload has the
			      part before the cut; kind 0: even the header is cut */
	SPLIT_DAMAGE,      /* bytes outside of any chunk; a region of damage may come as several items */
	SPLIT_END,
};

/* The header of a chunk: FORMAT.md. */
struct raw_chunk {
	uint64_t offset; /* of the header, in the file */
	uint16_t kind, flags;
	uint32_t length, stream, sequence, events, frames, unpacked;
	uint32_t payload_crc, payload_crc_found; /* as the header has it; as computed */
	uint64_t first_ticks, last_ticks, floor_ticks;
	struct bytes payload; /* points into the window */
};

/* One piece of the file: a chunk, or damage. */
struct split_item {
	uint64_t offset; /* in the file */
	uint64_t bytes;  /* length in the file */
	size_t need;     /* SPLIT_NEED: bytes that the window must have */
	struct raw_chunk chunk; /* SPLIT_CHUNK, SPLIT_BAD_PAYLOAD, SPLIT_CUT */
};

struct split {
	uint64_t offset; /* of the window's first byte, in the file */
	bool is_searching; /* behind damage: the next bytes need not be a header */
	/* Bytes of bad payloads that are read twice, because a header was found inside. Beyond a limit (DEBT_MAX in split.c), bad
	 * payloads are skipped without a search, so the work stays linear. */
	uint64_t debt;
};

/* offset: of the first byte behind the file header. */
void split_init(struct split *split, uint64_t offset);

/* Decodes the next item. end: no bytes follow the window. */
enum split_status split_next(struct split *split, struct bytes window, bool end, struct split_item *item);

/* Returns a packed SLOTS chunk in the form that pack/pack.h takes. */
struct packed raw_chunk_get_packed(const struct raw_chunk *chunk);

/* Returns whether the bytes begin with a chunk header (marker and right CRC). Fills chunk except for the payload. */
bool split_parse_header(struct bytes bytes, struct raw_chunk *chunk);
/* Returns the offset of the first valid chunk header at or behind from; bytes.size: none. */
size_t split_find_header(struct bytes bytes, size_t from);

#endif
