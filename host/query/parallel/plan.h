/* plan: how a trace is cut into segments that several threads read. For parallel.c.
 *
 * A segment is some consecutive chunks of one stream. What the file declares is told to the model before all events, so a plan is there
 * only where it does not matter where in the file that stands. */
#ifndef DWELL_HOST_QUERY_PARALLEL_PLAN_H
#define DWELL_HOST_QUERY_PARALLEL_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "reader/reader.h"

#define PLAN_NONE UINT32_MAX

struct segment {
	uint32_t thread;      /* of the model */
	uint32_t first, last; /* chunks */
	bool is_first, is_last; /* of its stream */
};

/* What is known of a thread of the model before its events. */
struct known {
	uint64_t told_offset, ended_offset;
	uint32_t process;
	uint32_t segment; /* that its chunks go to; PLAN_NONE: none yet */
	uint32_t chunks;  /* in that */
	uint32_t first;   /* of its chunks */
	uint32_t late, last_late; /* what is told of it behind its last events, counted from 1; 0: nothing */
};

/* Time off the CPU that no events of the thread follow. */
struct late {
	struct message message;
	uint32_t next;
};

/* Zeroed: none. */
struct plan {
	struct segment *segments;
	uint32_t segment_count;
	size_t segment_capacity;
	uint32_t *next_chunk; /* of the same segment; PLAN_NONE: none */
	struct known *known;  /* by index of the thread */
	uint32_t known_count;
	size_t known_capacity;
	struct late *lates;
	uint32_t late_count;
	size_t late_capacity;
	struct model_thread *threads; /* as they were declared: the model's own change while parts are joined */
};

/* Between reader_survey and reader_begin_decoding: feeds what is declared to the model. False: what it means depends on where in the
 * file it stands, or there is no memory. */
bool plan_declare(struct plan *plan, struct reader *reader, struct model *model);
/* Then: into segments of so many chunks at most. False as above. */
bool plan_cut(struct plan *plan, const struct reader *reader, const struct model *model, uint32_t segment_chunks);
/* The events of the thread are over, or there are none: tells the model what is told behind them. Once. */
void plan_tell_late(struct plan *plan, struct model *model, uint32_t thread);
void plan_clear(struct plan *plan);

#endif
