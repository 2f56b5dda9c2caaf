/* sorted: where a value belongs in a list that is sorted by a field of 64 or 32 bits, mostly an address. */
#ifndef DWELL_HOST_UTIL_SORTED_H
#define DWELL_HOST_UTIL_SORTED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How many entries of the list have a field (by its type's name) of no more than the value: the last of them is the one that an address
 * lies in, where the field is the address that entries begin at. A list of none may be null. */
#define SORTED_UP_TO(type, field, list, count, value) \
	sorted_up_to((list), (count), sizeof(type), offsetof(type, field), \
		sizeof((list)->field) / sizeof(char[sizeof((list)->field) == 8 || sizeof((list)->field) == 4 ? 1 : -1]), (value))
/* How many have one below the value: the next is the first that has not. */
#define SORTED_BELOW(type, field, list, count, value) ((value) ? SORTED_UP_TO(type, field, list, count, (value)-1) : 0)
/* The same of entries of so many bytes, which have the field at so many from their beginning. */
static inline size_t sorted_up_to(
	const void *list, size_t count, size_t entry_bytes, size_t field_at, size_t field_bytes, uint64_t value)
{
	size_t low = 0, high = count; /* entry low - 1 is no more than the value, entry high is more */

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

/* How many of these numbers are below the value: the next is the first that is not. */
static inline size_t sorted_below(const uint64_t *list, size_t count, uint64_t value)
{
	return value ? sorted_up_to(list, count, sizeof *list, 0, sizeof *list, value - 1) : 0;
}

#endif
