/* parallel: models a trace with several threads; the result equals that of one thread.
 *
 * The chunks of events are cut into segments, each a few consecutive chunks of one stream. Workers model one segment after
 * the other. The calling thread joins their results in the order of the file (model/part.h). The number of segments in
 * progress is fixed, whatever the length of the trace. On the way a selection may pick out a few calls, or page_calls may
 * collect what a page shows of calls. */
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
	struct reader *reader; /* at the start of the file */
	struct model *model;   /* empty, with functions of its own; without on_enter, and with on_call only as described below */
	uint32_t workers;      /* 1 … PARALLEL_WORKERS_MAX */
	uint32_t segment_chunks; /* chunks in a segment; 0: chosen by the length of the trace */
	struct progress *progress; /* null: none */
	uint32_t *refed_count; /* counts the segments fed again by one thread, as their assumed start was wrong; null: no count */
	/* Null: none. Otherwise the model has selection_take as on_call, part_calls_carry as on_carry, and the
	 * selection's part_calls as context. */
	struct selection *selection;
	/* Null: none. Otherwise the model has page_calls_take as on_call, no on_carry, and page_calls->own as context. */
	struct page_calls *page_calls;
};

/* Reads everything and finishes the model. False: no diag was added, and the model is useless; call reader_rewind
 * and read with one thread. */
bool parallel_read(const struct parallel *how);

#endif
