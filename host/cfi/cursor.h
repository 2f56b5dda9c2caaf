/* cursor: reads call frame information byte by byte, and never beyond its end. A read
 * beyond the end gives 0 and sets bad for good, so a parser checks once, at the end. */
#ifndef DWELL_HOST_CFI_CURSOR_H
#define DWELL_HOST_CFI_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "util/bytes.h"

struct cursor {
	struct bytes bytes;
	size_t at; /* offset of the next byte */
	bool bad; /* a read went beyond the end */
};

/* Reads a little-endian number of size bytes. If size is above 8, returns the low 8 bytes. */
static inline uint64_t cursor_take(struct cursor *cursor, size_t size)
{
	uint64_t value = 0;

	if (cursor->bad || !bytes_have(cursor->bytes, cursor->at, size)) {
		cursor->bad = true;
		return 0;
	}
	for (size_t i = 0; i < size && i < 8; i++)
		value |= (uint64_t)cursor->bytes.data[cursor->at + i] << 8 * i;
	cursor->at += size;
	return value;
}

/* Reads a signed little-endian number of 1 to 8 bytes. */
static inline int64_t cursor_take_signed(struct cursor *cursor, size_t size)
{
	uint64_t value = cursor_take(cursor, size);

	return size < 8 && value >> (8 * size - 1) ? (int64_t)(value - (UINT64_C(1) << 8 * size)) : (int64_t)value;
}

/* Reads an unsigned LEB128 number: seven bits in each byte, low bits first. Ignores bits above the 64th. */
static inline uint64_t cursor_take_uleb(struct cursor *cursor)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = cursor_take(cursor, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

/* Reads a signed LEB128 number. */
static inline int64_t cursor_take_sleb(struct cursor *cursor)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = cursor_take(cursor, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		value |= UINT64_MAX << shift;
	return (int64_t)value;
}

/* Returns a block of size bytes; an empty block if the cursor has fewer. */
static inline struct bytes cursor_take_block(struct cursor *cursor, uint64_t size)
{
	struct bytes block = {0, 0};

	if (cursor->bad || !bytes_have(cursor->bytes, cursor->at, size)) {
		cursor->bad = true;
		return block;
	}
	block = bytes_part(cursor->bytes, cursor->at, size);
	cursor->at += (size_t)size;
	return block;
}

#endif
