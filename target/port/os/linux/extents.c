/* SPDX-License-Identifier: MIT
 *
 * Reads the index of a file's unwind tables, or the tables themselves; see extents.h.
 */
#include "port/os/linux/extents.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

/* The usual form of the index: version 1, then the encodings of its parts. */
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
	struct extents extents = {index, 0, 0};
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

#define SIZE_MASK 7 /* the bits of an encoding that give its size */
#define SIZE_8 4

static uint32_t get_u32(uint64_t address)
{
	return (uint32_t)get_s32(address);
}

/* Returns the encoding of addresses (DW_EH_PE_…) in the records of this common record (CIE). 0: record is no CIE, or has an unknown
 * form. */
static uint8_t find_encoding(uint64_t record)
{
	const uint8_t *p = (const uint8_t *)record + 8, *letters = p + 1;

	if (get_u32(record + 4) || *p != 1 || *letters != 'z')
		return 0;
	for (p = letters; *p; p++)
		if (p - letters > 6)
			return 0;
	p++;
	for (int numbers = 0; numbers < 4; numbers++) { /* alignment of code and data, return address, size of the rest */
		while (*p & 0x80)
			p++;
		p++;
	}
	for (const uint8_t *letter = letters + 1; *letter; letter++) {
		if (*letter == 'R')
			return *p;
		if (*letter == 'P')
			p += 1 + ((*p & 15) == 0 || (*p & 15) == 4 || (*p & 15) == 12 ? 8 : 4);
		else if (*letter == 'L')
			p++;
		else if (*letter != 'S' && *letter != 'B')
			return 0;
	}
	return 0;
}

uint64_t extents_start(const struct extents *extents, uint32_t i)
{
	return extents->list ? extents->list[i].start : word_at(extents, i, 0);
}

struct extent extents_get(const struct extents *extents, uint32_t i)
{
	struct extent extent;
	uint64_t record;

	if (extents->list)
		return extents->list[i];
	extent.start = word_at(extents, i, 0);
	/* A record: length, CIE, start, size of the code; the last two have four bytes, or eight (Clang's large model). */
	record = word_at(extents, i, 4);
	extent.end = extent.start + get_u32(record + 12);
	if ((find_encoding(record + 4 - get_u32(record + 4)) & SIZE_MASK) == SIZE_8)
		extent.end = extent.start + get_u32(record + 16);
	return extent;
}

uint64_t extents_record(const struct extents *extents, uint32_t i)
{
	return extents->list ? 0 : word_at(extents, i, 4);
}

uint32_t extents_find(const struct extents *extents, uint64_t address)
{
	uint32_t low = 0, high = extents->count;

	while (low < high) { /* entry low - 1 begins at or below the address; entry high does not */
		uint32_t middle = low + (high - low) / 2;

		if ((extents->list ? extents->list[middle].start : word_at(extents, middle, 0)) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < extents_get(extents, low - 1).end ? low - 1 : extents->count;
}

/* Unwind tables: records of {bytes, 0 or the distance back to the CIE, …}, up to one of 0 bytes. */
#define RECORD_BYTES_MAX 65536u
#define FROM_HERE_4_BYTES 0x1b

/* Walks along the records from at, and stores the extents in list, which may be null. Returns the number of extents; 0: there are
 * no unwind tables at this address. */
static uint32_t walk(uint64_t at, uint64_t end, struct extent *list)
{
	uint32_t count = 0;

	while (end - at >= 24 && get_u32(at)) {
		uint32_t bytes = get_u32(at), back = get_u32(at + 4);
		uint64_t common = at + 4 - back;

		if (bytes < 12 || bytes > RECORD_BYTES_MAX || bytes % 4 || bytes > end - at - 4)
			return 0;
		if (back && back < at && find_encoding(common) == FROM_HERE_4_BYTES) {
			if (list) {
				list[count].start = at + 8 + (uint64_t)(int64_t)get_s32(at + 8);
				list[count].end = list[count].start + get_u32(at + 12);
			}
			count++;
		} else if (back || !find_encoding(at)) {
			return 0;
		}
		at += 4 + bytes;
	}
	return count;
}

/* Sorts the list, which is almost always in order. */
static void sort(struct extent *list, uint32_t count)
{
	for (uint32_t gap = count / 2; gap; gap = gap == 2 ? 1 : (uint32_t)((uint64_t)gap * 5 / 11))
		for (uint32_t i = gap; i < count; i++) {
			struct extent one = list[i];
			uint32_t j = i;

			for (; j >= gap && list[j - gap].start > one.start; j -= gap)
				list[j] = list[j - gap];
			list[j] = one;
		}
}

struct extents extents_make(uint64_t begin, uint64_t end)
{
	struct extents extents = {0, 0, 0};
	uint32_t count = 0;
	long address;

	for (begin = (begin + 3) & ~3ull; begin + 32 < end; begin += 4) {
		uint32_t bytes = get_u32(begin);

		if (bytes < 12 || bytes > 256 || bytes > end - begin - 16 || find_encoding(begin) != FROM_HERE_4_BYTES)
			continue;
		count = walk(begin, end, 0);
		if (count)
			break;
	}
	address = count ? system_mmap(0, count * sizeof *extents.list, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1) : 0;
	if (address && (unsigned long)address < -4096ul) {
		extents.list = (struct extent *)address;
		extents.count = walk(begin, end, extents.list);
		sort(extents.list, extents.count);
	}
	return extents;
}

void extents_free(struct extents *extents)
{
	if (extents->list)
		system_munmap(extents->list, extents->count * sizeof *extents->list);
	*extents = (struct extents){0, 0, 0};
}
