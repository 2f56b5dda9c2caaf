/* spans: pieces of an image, each from one place to another. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_SPANS_H
#define DWELL_HOST_PLAN_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The places from low up to, but not including, high. */
struct plan_span {
	uint32_t low, high;
};
struct plan_spans {
	struct plan_span *list;
	size_t count, capacity;
};
/* Appends a span. Returns false if out of memory. */
bool plan_spans_add(struct plan_spans *spans, uint32_t low, uint32_t high);
/* Sorts the spans and joins overlapping ones. */
void plan_spans_join(struct plan_spans *spans);
/* Returns the span around the place; null: none. pre: sorted, without overlaps. */
const struct plan_span *plan_spans_find(const struct plan_spans *spans, uint32_t at);

#endif
