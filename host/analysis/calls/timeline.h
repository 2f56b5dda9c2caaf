/* timeline: single calls with their threads and processes, in nanoseconds since the recording began, as a table that streams: for
 * programs that draw it. Moments are rounded, not durations: so what is nested stays nested, and a duration may be a nanosecond off
 * that of `dwell calls`. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_TIMELINE_H
#define DWELL_HOST_ANALYSIS_CALLS_TIMELINE_H

#include "analysis/table.h"
#include "model/model.h"

/* Its columns, in this order. */
enum {
	TIMELINE_INDEX,    /* of the thread, from 0 */
	TIMELINE_PID,
	TIMELINE_TID,
	TIMELINE_SHARED,   /* 1: another thread has, or had, the same tid */
	TIMELINE_PROCESS,  /* path; absent: not known */
	TIMELINE_THREAD,   /* name; absent: it has none */
	TIMELINE_DEPTH,
	TIMELINE_FUNCTION,
	TIMELINE_BEGIN,
	TIMELINE_END,      /* absent: it is not recorded when functions are left, or the call is a mark */
	TIMELINE_NOTE,     /* what is unusual about it, "" */
	TIMELINE_COLUMNS
};

struct timeline {
	const struct model *model;
	struct table_sink sink;
};

/* The table begins. model is borrowed, sink is copied. */
void timeline_begin(struct timeline *timeline, const struct model *model, const struct table_sink *sink);
/* In order of entry. */
void timeline_write(struct timeline *timeline, const struct call *call);
/* The same of what has its moments in nanoseconds: those in call are not looked at. */
void timeline_write_at(struct timeline *timeline, const struct call *call, int64_t begin_ns, int64_t end_ns);
void timeline_end(struct timeline *timeline);

#endif
