/* spans: sorted lists of pieces of an image (spans.h). */
#include "plan/spans.h"

#include <stdlib.h>

#include "util/array.h"

bool plan_spans_add(struct plan_spans *spans, uint32_t low, uint32_t high)
{
	if (!array_reserve(&spans->list, &spans->capacity, spans->count + 1, sizeof *spans->list))
		return false;
	spans->list[spans->count++] = (struct plan_span){low, high};
	return true;
}

const struct plan_span *plan_spans_find(const struct plan_spans *spans, uint32_t at)
{
	size_t low = 0, high = spans->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (spans->list[middle].low <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low && at < spans->list[low - 1].high ? &spans->list[low - 1] : NULL;
}

static int by_low(const void *a, const void *b)
{
	const struct plan_span *left = a, *right = b;

	return left->low != right->low	  ? (left->low < right->low ? -1 : 1)
	       : left->high < right->high ? -1
					  : left->high > right->high;
}

void plan_spans_join(struct plan_spans *spans)
{
	size_t kept = 0;

	if (spans->count)
		qsort(spans->list, spans->count, sizeof *spans->list, by_low);
	for (size_t i = 0; i < spans->count; i++) {
		if (kept && spans->list[i].low < spans->list[kept - 1].high) {
			if (spans->list[i].high > spans->list[kept - 1].high)
				spans->list[kept - 1].high = spans->list[i].high;
		} else {
			spans->list[kept++] = spans->list[i];
		}
	}
	spans->count = kept;
}
