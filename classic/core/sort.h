/* SPDX-License-Identifier: MIT
 *
 * Sorts in place through two callbacks of the caller, which take positions. A heap sort: no stack, no worst case, not stable.
 */
#ifndef DWELL_CLASSIC_CORE_SORT_H
#define DWELL_CLASSIC_CORE_SORT_H

#include <stdbool.h>
#include <stddef.h>

struct dwell_sort {
	bool (*is_before)(const void *context, size_t a, size_t b); /* true: the item at a belongs before the item at b */
	void (*swap)(void *context, size_t a, size_t b);
	void *context;
};

/* Context: not for interrupts; about 2 count × log2(count) comparisons. */
void dwell_sort(const struct dwell_sort *sort, size_t count);

#endif
