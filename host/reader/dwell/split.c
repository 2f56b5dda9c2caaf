/* split: splits bytes into chunks, and finds the next chunk after damage. */
#include <string.h>
#include <zlib.h>

#include "dwell/format.h"
#include "reader/dwell/split.h"

/* The bytes of a bad payload are searched for intact chunks, and so read again. A malicious file can make every
 * byte part of thousands of bad chunks; after this many bytes of repeated work, bad chunks are skipped whole. */
#define DEBT_MAX (256u << 20)

void split_init(struct split *split, uint64_t offset)
{
	*split = (struct split){.offset = offset};
}

bool split_parse_header(struct bytes bytes, struct raw_chunk *chunk)
{
	const uint8_t *p = bytes.data;

	if (bytes.size < DWELL_CHUNK_HEADER_BYTES || get_u32(p + DWELL_CHUNK_MARKER) != DWELL_CHUNK_MARK)
		return false;
	if (get_u32(p + DWELL_CHUNK_CRC) != crc32(0, p, DWELL_CHUNK_CRC))
		return false;
	*chunk = (struct raw_chunk){
		.kind = get_u16(p + DWELL_CHUNK_KIND),
		.flags = get_u16(p + DWELL_CHUNK_FLAGS),
		.length = get_u32(p + DWELL_CHUNK_LENGTH),
		.stream = get_u32(p + DWELL_CHUNK_STREAM),
		.sequence = get_u32(p + DWELL_CHUNK_SEQUENCE),
		.events = get_u32(p + DWELL_CHUNK_EVENTS),
		.frames = get_u32(p + DWELL_CHUNK_FRAMES),
		.unpacked = get_u32(p + DWELL_CHUNK_UNPACKED),
		.payload_crc = get_u32(p + DWELL_CHUNK_PAYLOAD_CRC),
		.first_ticks = get_u64(p + DWELL_CHUNK_FIRST_TICKS),
		.last_ticks = get_u64(p + DWELL_CHUNK_LAST_TICKS),
		.floor_ticks = get_u64(p + DWELL_CHUNK_FLOOR_TICKS),
	};
	/* A right CRC over a length that no writer produces: another format, or an attack. */
	return chunk->length <= DWELL_CHUNK_LENGTH_MAX && chunk->length % 8 == 0;
}

struct packed raw_chunk_get_packed(const struct raw_chunk *chunk)
{
	return (struct packed){
		.bytes = chunk->payload,
		.frames = chunk->frames,
		.unpacked = chunk->unpacked,
		.in_parts = chunk->flags & DWELL_CHUNK_PARTS,
		.is_cut = chunk->payload.size < chunk->length,
	};
}

/* Returns the offset of the first marker at or behind from; if the bytes end within a marker, the
 * offset of that part. bytes.size: there is no marker. */
static size_t find_marker(struct bytes bytes, size_t from)
{
	static const uint8_t marker[4] = {0x57, 0x44, 0x43, 0x6b};
	const uint8_t *found;

	if (from >= bytes.size)
		return bytes.size;
	found = memmem(bytes.data + from, bytes.size - from, marker, sizeof marker);
	if (found)
		return (size_t)(found - bytes.data);
	for (size_t part = bytes.size - from < 3 ? bytes.size - from : 3; part > 0; part--)
		if (!memcmp(bytes.data + bytes.size - part, marker, part))
			return bytes.size - part;
	return bytes.size;
}

size_t split_find_header(struct bytes bytes, size_t from)
{
	struct raw_chunk chunk;

	for (from = find_marker(bytes, from); from < bytes.size; from = find_marker(bytes, from + 1))
		if (split_parse_header(bytes_part(bytes, from, bytes.size - from), &chunk))
			break;
	return from;
}

/* Fills the item's place and moves split->offset behind the item. Returns status. */
static enum split_status give(struct split *split, struct split_item *item, enum split_status status, uint64_t bytes)
{
	item->offset = split->offset;
	item->bytes = bytes;
	split->offset += bytes;
	split->is_searching =
		status == SPLIT_DAMAGE || (status == SPLIT_BAD_PAYLOAD && bytes == DWELL_CHUNK_HEADER_BYTES && item->chunk.length);
	return status;
}

static enum split_status need(struct split_item *item, size_t bytes)
{
	item->need = bytes;
	return SPLIT_NEED;
}

/* For a window that does not begin with a header: returns as damage all bytes up to the next
 * header; without one, all bytes in front of what may be the start of a header. */
static enum split_status skip(struct split *split, struct bytes window, bool end, struct split_item *item)
{
	struct raw_chunk chunk;
	size_t at = split->is_searching ? 0 : 1;

	for (at = find_marker(window, at); at < window.size; at = find_marker(window, at + 1)) {
		if (!end && window.size - at < DWELL_CHUNK_HEADER_BYTES)
			return at ? give(split, item, SPLIT_DAMAGE, at) : need(item, DWELL_CHUNK_HEADER_BYTES);
		if (split_parse_header(bytes_part(window, at, window.size - at), &chunk))
			break;
	}
	return give(split, item, SPLIT_DAMAGE, at);
}

/* The payload of item->chunk is bad, or goes beyond the end of the file. Either bytes of the chunk are wrong, or
 * some are missing, so that the next chunks lie inside of what would be its payload: searches for a header there. */
static enum split_status give_bad(struct split *split, struct bytes window, bool end, struct split_item *item)
{
	size_t whole = DWELL_CHUNK_HEADER_BYTES + (size_t)item->chunk.length, search = whole + DWELL_CHUNK_HEADER_BYTES - 1, inside;
	bool cut = window.size < whole;

	if (cut)
		whole = window.size;
	if (split->debt < DEBT_MAX) {
		if (window.size < search && !end)
			return need(item, search);
		inside = split_find_header(
			(struct bytes){window.data, window.size < search ? window.size : search}, DWELL_CHUNK_HEADER_BYTES);
		if (inside < whole) {
			split->debt += whole - inside;
			return give(split, item, SPLIT_BAD_PAYLOAD, DWELL_CHUNK_HEADER_BYTES);
		}
	}
	return give(split, item, cut ? SPLIT_CUT : SPLIT_BAD_PAYLOAD, whole);
}

/* Returns whether the window is the beginning of a header that the file cuts. */
static bool is_cut_header(struct bytes window)
{
	return window.size < DWELL_CHUNK_HEADER_BYTES && find_marker(window, 0) == 0;
}

enum split_status split_next(struct split *split, struct bytes window, bool end, struct split_item *item)
{
	struct raw_chunk *chunk = &item->chunk;
	size_t whole;

	item->offset = split->offset;
	item->bytes = 0;
	if (!window.size && end)
		return SPLIT_END;
	if (window.size < DWELL_CHUNK_HEADER_BYTES && !end)
		return need(item, DWELL_CHUNK_HEADER_BYTES);
	if (end && !split->is_searching && is_cut_header(window)) {
		*chunk = (struct raw_chunk){.offset = split->offset};
		return give(split, item, SPLIT_CUT, window.size);
	}
	if (!split_parse_header(window, chunk))
		return skip(split, window, end, item);
	chunk->offset = split->offset;
	whole = DWELL_CHUNK_HEADER_BYTES + (size_t)chunk->length;
	if (window.size < whole) {
		if (!end)
			return need(item, whole);
		chunk->payload = bytes_part(window, DWELL_CHUNK_HEADER_BYTES, window.size - DWELL_CHUNK_HEADER_BYTES);
		return give_bad(split, window, end, item);
	}
	chunk->payload = bytes_part(window, DWELL_CHUNK_HEADER_BYTES, chunk->length);
	chunk->payload_crc_found = (uint32_t)crc32(0, chunk->payload.data, (uInt)chunk->length);
	if (chunk->payload_crc_found == chunk->payload_crc)
		return give(split, item, SPLIT_CHUNK, whole);
	return give_bad(split, window, end, item);
}
