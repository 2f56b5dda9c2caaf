/* replay: the chunks in which some times of some streams lie, once more, into a model of their own. For second passes. */
#ifndef DWELL_HOST_QUERY_REPLAY_H
#define DWELL_HOST_QUERY_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "query/trace.h"

struct replay_span {
	uint32_t stream;
	uint64_t first_ticks, last_ticks;
};

/* Feeds a model made by options, which is at *model while that goes on. Reorders the spans. A call that begins in a span is told as ever;
 * one that is open before the first chunk of it comes from that chunk's checkpoint. Where a chunk of a stream is passed over, the calls
 * that ended meanwhile end as if lost. False and a diag when there is no memory. */
bool replay_spans(struct trace *trace, struct replay_span *spans, size_t count, const struct model_options *options,
	const struct model **model);

#endif
