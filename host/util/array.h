/* array: grows an array on the heap, which the caller frees. The capacity doubles, so that appending takes constant
 * time on average. Start with a null pointer and capacity 0.
 *
 *     if (!array_reserve(&list, &capacity, count + 1, sizeof *list))
 *             return false;
 *     list[count++] = item;
 */
#ifndef DWELL_HOST_UTIL_ARRAY_H
#define DWELL_HOST_UTIL_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for needed items of item_bytes each. array: address of a pointer to any object type; memcpy copies the pointer, since
 * a void ** may not alias it. Returns false if out of memory or if the size overflows; then *array and *capacity are unchanged. */
static inline bool array_reserve(void *array, size_t *capacity, size_t needed, size_t item_bytes)
{
	void *old, *grown;
	size_t want = *capacity ? *capacity : 16;

	if (needed <= *capacity)
		return true;
	while (want < needed) {
		if (want > SIZE_MAX / 2)
			return false;
		want *= 2;
	}
	if (want > SIZE_MAX / item_bytes)
		return false;
	memcpy(&old, array, sizeof old);
	grown = realloc(old, want * item_bytes);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof grown);
	*capacity = want;
	return true;
}

#endif
