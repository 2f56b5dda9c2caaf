/* SPDX-License-Identifier: MIT
 *
 * Sorting in place, by what the caller says of two positions: a heap, so no stack and no bad case. Not stable.
 */
#ifndef DWELL_CORE_SORT_H
#define DWELL_CORE_SORT_H

#include <stdbool.h>
#include <stddef.h>

struct dwell_sort {
	bool (*is_before)(const void *context, size_t a, size_t b); /* whether what is at a belongs before what is at b */
	void (*swap)(void *context, size_t a, size_t b);
	void *context;
};

/* Context: not for interrupts; about 2 count × log2(count) comparisons. */
void dwell_sort(const struct dwell_sort *sort, size_t count);

#endif
