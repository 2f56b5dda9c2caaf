/* timeline: the table for exports to programs that draw calls (such as Perfetto): a row for each call, with its thread and process,
 * in nanoseconds since the recording began. Rounds moments, not durations. So nested calls stay nested, and a duration may differ
 * by a nanosecond from `dwell calls`. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_TIMELINE_H
#define DWELL_HOST_ANALYSIS_CALLS_TIMELINE_H

#include "analysis/table.h"
#include "model/model.h"

/* The columns, in this order. */
enum {
	TIMELINE_INDEX,    /* of the thread, from 0 */
	TIMELINE_PID,
	TIMELINE_TID,
	TIMELINE_SHARED,   /* 1: another thread has, or had, the same tid */
	TIMELINE_PROCESS,  /* path; absent: unknown */
	TIMELINE_THREAD,   /* name; absent: it has none */
	TIMELINE_DEPTH,
	TIMELINE_FUNCTION,
	TIMELINE_BEGIN,
	TIMELINE_END,      /* absent: the recording has no exits of this function, or the call is a mark */
	TIMELINE_NOTE,     /* what is unusual about the call; "": nothing */
	TIMELINE_COLUMNS
};

struct timeline {
	const struct model *model;
	struct table_sink sink;
};

/* Begins the table. model is borrowed, sink is copied. */
void timeline_begin(struct timeline *timeline, const struct model *model, const struct table_sink *sink);
/* Calls come in order of entry. */
void timeline_write(struct timeline *timeline, const struct call *call);
/* The same with these moments, in nanoseconds, in place of those in call. */
void timeline_write_at(struct timeline *timeline, const struct call *call, int64_t begin_ns, int64_t end_ns);
void timeline_end(struct timeline *timeline);

#endif
