/* SPDX-License-Identifier: MIT */
#include "classic/target/recorder/lines/made.h"

struct made {
	uintptr_t stats, last; /* address of the control area, and of the last byte; 0 and 0: unused */
};

static struct made list[LINES_MADE_MOST];
static bool had_no_place;

static uintptr_t last_of(const void *memory, uint32_t bytes)
{
	uintptr_t last = (uintptr_t)memory + (bytes < sizeof(uint64_t) ? sizeof(uint64_t) : bytes) - 1;

	return last < (uintptr_t)memory ? UINTPTR_MAX : last;
}

static struct made *find(const void *memory, uint32_t bytes)
{
	uintptr_t last = last_of(memory, bytes);

	for (uint32_t i = 0; i < LINES_MADE_MOST; i++)
		if (list[i].stats && list[i].stats <= last && list[i].last >= (uintptr_t)memory)
			return &list[i];
	return 0;
}

void dwell_made_forget(const void *memory, uint32_t bytes)
{
	struct made *made;

	while ((made = find(memory, bytes)))
		made->stats = made->last = 0;
}

void *dwell_made_find(const void *memory, uint32_t bytes)
{
	const struct made *made = find(memory, bytes);

	return made ? (void *)made->stats : 0;
}

void dwell_made_add(const void *stats, const void *memory, uint32_t bytes)
{
	dwell_made_forget(memory, bytes);
	for (uint32_t i = 0; i < LINES_MADE_MOST; i++)
		if (!list[i].stats) {
			list[i].stats = (uintptr_t)stats;
			list[i].last = last_of(memory, bytes);
			return;
		}
	had_no_place = true;
}

bool dwell_made_knows(const void *stats)
{
	for (uint32_t i = 0; i < LINES_MADE_MOST; i++)
		if (list[i].stats && list[i].stats == (uintptr_t)stats)
			return true;
	return had_no_place;
}
