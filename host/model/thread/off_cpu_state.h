/* off_cpu_state: a stack's state for time off the CPU; see off_cpu.h. */
#ifndef DWELL_HOST_MODEL_THREAD_OFF_CPU_STATE_H
#define DWELL_HOST_MODEL_THREAD_OFF_CPU_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/call.h"
#include "model/profile/profile.h"

/* The most intervals that wait for a thread's next event. A trace with more is damaged, and the rest is not used. */
#define OFF_QUEUE_MAX (1u << 22)

struct off_cpu_interval {
	uint64_t begin_ticks, end_ticks;
	enum off_kind kind;
};

/* The time charged to an open call, or to a call that ends. */
struct off_cpu_frame {
	struct profile_off self;
	struct profile_off total; /* including callees; open callees still add theirs at their ends */
};

/* A call open at the beginning of a part, and ended by the part. */
struct off_cpu_end {
	uint64_t user;
	uint32_t function, index, flags;
	uint64_t total_ticks, self_ticks; /* total: without held time since the part began */
};

/* The time charged to the outermost calls of a function that ended in a section. */
struct off_cpu_section {
	struct profile_off total;
	uint32_t number; /* of the section */
};

/* Zeroed, with next_ticks UINT64_MAX: no intervals yet. Others read next_ticks, watch and depth, and leave the rest alone. */
struct off_cpu {
	uint64_t next_ticks; /* call off_cpu_advance_slowly before an event later than this */
	bool watch;          /* call off_cpu_settle before the next enter or exit */
	uint32_t depth;      /* frames[0 … depth) have a record: a call at a lower index needs off_cpu_leave when it ends */

	bool told, late; /* intervals came; late: after the first event */
	bool in_gap, is_stopped, was_away; /* records lost since the last event; recording stopped; either
	                                      of these since off_cpu_settle */
	bool is_held;                      /* the recorder holds the thread up */
	uint64_t covered_ticks;            /* up to here the intervals are complete */
	struct off_cpu_interval *queue;    /* [head … count): in order, without overlaps */
	size_t head, count, capacity;
	struct off_cpu_frame *frames;      /* [0 … depth): calls that were charged, and their callers */
	size_t frame_capacity;
	struct profile_off waiting; /* for the call in which the thread goes on … */
	struct profile_off waiting_before; /* … of that, the part from before the thread was away */
	struct profile_off away; /* for the total of the call in which the thread goes on, and for no self time */
	struct profile_off section_self, section;   /* since the section of the pairing began: outside of calls; all */
	struct off_cpu_section *sections;  /* by function */
	size_t section_count, section_capacity;
	struct profile_off others; /* charged on the thread's other stacks, until this stack ran last */
	/* all = self + lost + outside, apart from held_ticks. */
	struct profile_off all, self, lost, outside;
	uint64_t switches; /* number of intervals */

	/* Of a part. */
	uint32_t inherited;   /* open calls from before the part */
	struct off_cpu_end *ends; /* ended calls from before the part */
	size_t end_count, end_capacity;
	struct off_cpu_interval *ahead; /* the intervals in the queue when the part was resumed, and its covered_ticks then */
	size_t ahead_count;
	uint64_t ahead_ticks;
};

#endif
