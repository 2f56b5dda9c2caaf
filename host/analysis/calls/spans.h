/* spans: samples as a timeline. What samples of a thread have in common, one after the other, is drawn as one call: shorter ones are
 * not seen, and two in a row look like one. Each sample stands for as much time as it weighs, up to its moment: so the spans' own times
 * add up to what was sampled, and where a thread was off the CPU nothing is drawn. Memory: 32 bytes a span, or those that are open where
 * somebody takes them as they end. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_SPANS_H
#define DWELL_HOST_ANALYSIS_CALLS_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"
#include "model/model.h"

/* Beyond these moments nothing is drawn: no sum of two of them is too large for its type. */
#define SPANS_NS_MAX (INT64_MAX / 4)

struct span {
	int64_t begin_ns, end_ns; /* since the origin, within SPANS_NS_MAX of it */
	uint32_t stream, function, depth;
};
typedef void span_fn(void *context, const struct span *span);

struct spans;

struct spans *make_spans(void);
/* The same, but each goes to on_end as it ends, and is not kept. */
struct spans *make_spans_for(span_fn *on_end, void *context);
void free_spans(struct spans *spans);
/* The model whose options have spans_take as on_sample, and spans as its context; borrowed. Before its first sample. */
void spans_begin(struct spans *spans, const struct model *model);
void spans_take(void *spans, const struct model_sample *sample);
bool spans_are_none(const struct spans *spans);
/* After the last sample: those that are open end. False: there was no memory, and some are missing. spans_write does it, too. */
bool spans_finish(struct spans *spans);
/* All that were kept, as the table of timeline.h: those of at least so many nanoseconds, of so many levels. False: there was no memory. */
bool spans_write(struct spans *spans, uint64_t longer_ns, uint64_t depth_limit, const struct table_sink *sink);

#endif
