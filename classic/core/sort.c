/* SPDX-License-Identifier: MIT */
#include "classic/core/sort.h"

/* Swaps the item at top downwards until neither child in the heap belongs after it. */
static void sink(const struct dwell_sort *sort, size_t top, size_t count)
{
	while (top < count / 2) {
		size_t child = 2 * top + 1;

		if (child + 1 < count && sort->is_before(sort->context, child, child + 1))
			child++;
		if (!sort->is_before(sort->context, top, child))
			return;
		sort->swap(sort->context, top, child);
		top = child;
	}
}

void dwell_sort(const struct dwell_sort *sort, size_t count)
{
	for (size_t top = count / 2; top--;)
		sink(sort, top, count);
	while (count-- > 1) {
		sort->swap(sort->context, 0, count);
		sink(sort, 0, count);
	}
}
