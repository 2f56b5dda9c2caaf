/* replay: reads only the chunks that cover some times of some streams, in a second pass. For the question slowest. */
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

/* Feeds the chunks that overlap a span to a new model, made with options. *model points to that model during the replay, for
 * callbacks; afterwards it is null. Sorts the spans. The model reports calls that begin in a span as usual. A call already open
 * before a stream's first chunk comes from the checkpoint of that chunk. If a chunk of a stream is passed over, the calls that
 * ended there end as if lost. False with a diag: memory ran out. */
bool replay_spans(struct trace *trace, struct replay_span *spans, size_t count, const struct model_options *options,
	const struct model **model);

#endif
