/* part: the calls that were running at some time between two moments, from the chunks of that time and few others.
 *
 * The checkpoint of a chunk tells which calls were open before it, since when. What became of those that are still open behind the last
 * chunk, the checkpoints of later ones tell: a call is left in the last chunk whose checkpoint has it. That chunk is looked for by
 * halving, and read. So the calls are as exact as if all had been read. */
#ifndef DWELL_HOST_QUERY_PART_H
#define DWELL_HOST_QUERY_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/entry_order.h"
#include "query/trace.h"

struct part {
	struct trace *trace;
	struct reader_decoder *decoder;
	struct part_chunk {
		uint64_t chunk;
		uint32_t stream;
		bool first; /* of its stream in the part */
	} *chunks; /* in the order of the file */
	size_t count, capacity;
	struct part_begin {
		uint32_t stream;
		uint64_t first_ticks; /* of its first chunk in the part */
	} *begins;
	size_t begin_count, begin_capacity, begin_last;
	struct call *left; /* calls that are open behind the part, and what became of them; those of a stream together, outermost first */
	size_t left_count, left_capacity;
};

/* After trace_make_part: takes the chunks from one moment to the other (since the origin) and reads them. False and a diag when there is
 * no memory. part_clear in any case. */
bool part_read(struct part *part, struct trace *trace, int64_t from_ns, int64_t to_ns);
void part_clear(struct part *part);

/* For entry_order_write; its context is the part. */
struct entry_replay part_get_replay(struct part *part);
/* Puts right what became of the call later. How long it was off the CPU is known only where all of it was read. */
void part_complete(struct part *part, struct call *call);

#endif
