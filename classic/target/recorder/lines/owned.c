/* SPDX-License-Identifier: MIT */
#include "classic/target/recorder/lines/owned.h"

struct range {
	uintptr_t begin, last; /* last 0: unused */
};

static struct range ranges[LINES_OWNED_MOST];
static uint32_t without_range; /* ranges in use that found no place in the list */

static struct range *find(uintptr_t begin, uintptr_t last)
{
	for (uint32_t i = 0; i < LINES_OWNED_MOST; i++)
		if (ranges[i].last && begin <= ranges[i].last && last >= ranges[i].begin)
			return &ranges[i];
	return 0;
}

static struct range range_of(const void *memory, uint32_t bytes)
{
	struct range range = {(uintptr_t)memory, (uintptr_t)memory + bytes - 1};

	if (range.last < range.begin) /* no bytes, or more than up to the end of memory */
		range.last = bytes ? UINTPTR_MAX : range.begin;
	return range;
}

bool dwell_lines_is_owned(const void *memory, uint32_t bytes)
{
	struct range range = range_of(memory, bytes);

	return find(range.begin, range.last);
}

bool dwell_lines_own(const void *memory, uint32_t bytes, bool says_in_use)
{
	struct range range = range_of(memory, bytes);

	if (find(range.begin, range.last) || (without_range && says_in_use))
		return false;
	for (uint32_t i = 0; i < LINES_OWNED_MOST; i++)
		if (!ranges[i].last) {
			ranges[i] = range;
			return true;
		}
	without_range++;
	return true;
}

void dwell_lines_disown(const void *area)
{
	struct range *range = find((uintptr_t)area, (uintptr_t)area);

	if (range)
		range->last = 0;
	else if (without_range)
		without_range--;
}
