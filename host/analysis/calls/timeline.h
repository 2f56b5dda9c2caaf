/* timeline: the table for exports to programs that draw calls (such as Perfetto): a row for each call, and for each interval of a
 * thread off the CPU, with the thread and process, in nanoseconds since the recording began. Rounds moments, not durations. So
 * nested calls stay nested, and a duration may differ by a nanosecond from `dwell calls`. */
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
	TIMELINE_STATE,    /* "waiting", "preempted": the row is no call, but an interval off the CPU; absent: a call */
	TIMELINE_COLUMNS
};

struct timeline {
	const struct model *model;
	struct table_sink sink;
	/* The newest interval off the CPU of each thread, by index, until a later one of the thread begins. */
	struct timeline_state {
		uint64_t begin_ticks, end_ticks; /* end 0: none */
		enum off_cpu_kind kind;
	} *states;
	size_t state_count;
	uint64_t state_ns_min; /* shorter intervals have no row; set after timeline_begin */
	bool starved;          /* memory ran out: intervals are missing */
};

/* Begins the table. model is borrowed, sink is copied. */
void timeline_begin(struct timeline *timeline, const struct model *model, const struct table_sink *sink);
/* Calls come in order of entry. */
void timeline_write(struct timeline *timeline, const struct call *call);
/* The same with other moments, in nanoseconds, in place of the call's. */
void timeline_write_at(struct timeline *timeline, const struct call *call, int64_t begin_ns, int64_t end_ns);
/* An interval of a thread off the CPU. The intervals of one thread come in order; the pieces that the model makes of one become a
 * row. */
void timeline_write_state(
	struct timeline *timeline, uint32_t stream, uint64_t begin_ticks, uint64_t end_ticks, enum off_cpu_kind kind);
/* Ends the table, and frees the memory. */
void timeline_end(struct timeline *timeline);

#endif
