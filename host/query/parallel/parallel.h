/* parallel: a trace, modelled by several threads, with the result that one thread would have had.
 *
 * Its chunks of events are cut into segments: some consecutive chunks of one stream. Workers model one segment after the other; the caller
 * joins what they made in the order of the file (model/part.h). A fixed number of segments is in flight, whatever the trace's length.
 * Calls may be picked out on the way, if they are few: a selection; or what a page shows of them: page_calls. */
#ifndef DWELL_HOST_QUERY_PARALLEL_PARALLEL_H
#define DWELL_HOST_QUERY_PARALLEL_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "query/parallel/page_calls.h"
#include "query/parallel/selection.h"
#include "reader/reader.h"
#include "util/progress.h"

#define PARALLEL_WORKERS_MAX 64u

struct parallel {
	struct reader *reader; /* at its start */
	struct model *model;   /* empty: options without on_enter, and without on_call but as below, and functions of its own */
	uint32_t workers;      /* 1 … PARALLEL_WORKERS_MAX */
	uint32_t segment_chunks; /* 0: as fits */
	struct progress *progress; /* null: none */
	/* Null: none. Then the model's on_call is selection_take, on_carry part_calls_carry, and the context the selection's part_calls. */
	struct selection *selection;
	/* Null: none. Likewise, without on_carry: on_call is page_calls_take, and the context its own page_part. */
	struct page_calls *page_calls;
};

/* Reads and finishes the model. False: nothing was said, the model is spoilt, and one thread has to do it after reader_rewind. */
bool parallel_read(const struct parallel *how);

#endif
