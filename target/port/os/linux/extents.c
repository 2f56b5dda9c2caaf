/* SPDX-License-Identifier: MIT */
#include "port/os/linux/extents.h"

/* The usual form of the index: version 1, then how its parts are encoded. */
#define INDEX_FORM 0x3b031b01u /* table: 4 bytes from the index; count: 4 bytes; pointer to .eh_frame: 4 bytes */
#define INDEX_HEADER_BYTES 12
#define ENTRY_BYTES 8

static int32_t get_s32(uint64_t address)
{
	int32_t value;

	__builtin_memcpy(&value, (const void *)address, sizeof value);
	return value;
}

struct extents extents_of(uint64_t index, uint64_t index_bytes)
{
	struct extents extents = {index, 0};
	uint32_t count;

	if (index_bytes < INDEX_HEADER_BYTES || (uint32_t)get_s32(index) != INDEX_FORM)
		return extents;
	count = (uint32_t)get_s32(index + 8);
	if (count <= (index_bytes - INDEX_HEADER_BYTES) / ENTRY_BYTES)
		extents.count = count;
	return extents;
}

static uint64_t word_at(const struct extents *extents, uint32_t i, unsigned offset)
{
	uint64_t entry = extents->index + INDEX_HEADER_BYTES + (uint64_t)i * ENTRY_BYTES;

	return extents->index + (uint64_t)(int64_t)get_s32(entry + offset);
}

struct extent extents_get(const struct extents *extents, uint32_t i)
{
	struct extent extent;

	extent.start = word_at(extents, i, 0);
	/* length, CIE, start, then the bytes of code */
	extent.end = extent.start + (uint32_t)get_s32(word_at(extents, i, 4) + 12);
	return extent;
}

uint32_t extents_find(const struct extents *extents, uint64_t address)
{
	uint32_t low = 0, high = extents->count;

	while (low < high) { /* entry low - 1 begins at or below the address; entry high does not */
		uint32_t middle = low + (high - low) / 2;

		if (word_at(extents, middle, 0) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < extents_get(extents, low - 1).end ? low - 1 : extents->count;
}
