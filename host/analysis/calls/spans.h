/* spans: a timeline made of samples. A span is drawn like a call: it is a function that successive samples of a thread have in
 * common. Calls shorter than the distance of samples stay invisible, and two calls in a row look like one. A sample covers the time
 * that it weighs, up to its moment. So the self times of spans add up to the sampled time, and there is no span while a thread is
 * off the CPU. Memory: 32 bytes for each span; with a callback, only the open spans. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_SPANS_H
#define DWELL_HOST_ANALYSIS_CALLS_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"
#include "model/model.h"

/* Moments are limited to this distance from the origin, so the sum of two never overflows. */
#define SPANS_NS_MAX (INT64_MAX / 4)

struct span {
	int64_t begin_ns, end_ns; /* since the origin, within ±SPANS_NS_MAX */
	uint32_t stream, function, depth;
};
typedef void span_fn(void *context, const struct span *span);

struct spans;

/* Keeps all spans for spans_write. Null: memory ran out. */
struct spans *make_spans(void);
/* The same, but each span goes to on_end when the span ends, and is not kept. */
struct spans *make_spans_for(span_fn *on_end, void *context);
void free_spans(struct spans *spans);
/* Call it before the first sample. model: borrowed; its options have spans_take as on_sample and spans as context. */
void spans_begin(struct spans *spans, const struct model *model);
void spans_take(void *spans, const struct model_sample *sample);
/* Whether no span has begun. */
bool spans_is_empty(const struct spans *spans);
/* Ends the open spans after the last sample. spans_write does so, too. False: memory ran out, and some spans are missing. */
bool spans_finish(struct spans *spans);
/* Writes all kept spans as the table of timeline.h: those of at least longer_ns, down to depth_limit
 * levels. False: memory ran out. */
bool spans_write(struct spans *spans, uint64_t longer_ns, uint64_t depth_limit, const struct table_sink *sink);

#endif
