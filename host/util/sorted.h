/* sorted: sorts lists, and finds the position of a value in a list sorted by a field of 64 or 32 bits, mostly an address. */
#ifndef DWELL_HOST_UTIL_SORTED_H
#define DWELL_HOST_UTIL_SORTED_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Returns how many entries have a field (given with the type's name) of at most value. If the field is the start of an address
 * range, the last of these entries may contain the address. An empty list may be null. */
#define SORTED_UP_TO(type, field, list, count, value) \
	sorted_up_to((list), (count), sizeof(type), offsetof(type, field), \
		sizeof((list)->field) / sizeof(char[sizeof((list)->field) == 8 || sizeof((list)->field) == 4 ? 1 : -1]), (value))
/* Returns how many entries have a field below value: the index of the first entry at or above it. */
#define SORTED_BELOW(type, field, list, count, value) ((value) ? SORTED_UP_TO(type, field, list, count, (value)-1) : 0)
/* The function behind SORTED_UP_TO: entries of entry_bytes, with a field of field_bytes (4 or 8) at offset field_at. */
static inline size_t sorted_up_to(
	const void *list, size_t count, size_t entry_bytes, size_t field_at, size_t field_bytes, uint64_t value)
{
	size_t low = 0, high = count; /* entry low - 1 is at most value, entry high is above it */

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *at = (const char *)list + middle * entry_bytes + field_at;
		uint64_t field = 0;
		uint32_t half;

		if (field_bytes == sizeof half) {
			memcpy(&half, at, sizeof half);
			field = half;
		} else {
			memcpy(&field, at, sizeof field);
		}
		if (field <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns how many of the sorted numbers are below value: the index of the first number at or above value. */
static inline size_t sorted_below(const uint64_t *list, size_t count, uint64_t value)
{
	return value ? sorted_up_to(list, count, sizeof *list, 0, sizeof *list, value - 1) : 0;
}

/* Sorts a list like qsort, but only looks through a list that is in order. An empty list may be null. */
static inline void sort_list(void *list, size_t count, size_t entry_bytes, int (*order)(const void *a, const void *b))
{
	const char *at = list;

	for (size_t i = 1; i < count; i++, at += entry_bytes)
		if (order(at, at + entry_bytes) > 0) {
			qsort(list, count, entry_bytes, order);
			return;
		}
}

#endif
