/* off_cpu_state: what a stack keeps about time off the CPU between events. off_cpu.h explains how it charges the time. */
#ifndef DWELL_HOST_MODEL_THREAD_OFF_CPU_STATE_H
#define DWELL_HOST_MODEL_THREAD_OFF_CPU_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/call.h"
#include "model/profile/profile.h"

/* The most intervals, and the most page faults, that wait for a thread's next event. A trace with more is damaged, and the rest
 * is not used. */
#define OFF_CPU_QUEUE_MAX (1u << 22)

struct off_cpu_interval {
	uint64_t begin_ticks, end_ticks;
	enum off_cpu_kind kind;
};

/* The time charged to an open call, or to a call that ends. */
struct off_cpu_frame {
	struct off_cpu_ticks self;
	struct off_cpu_ticks total; /* including callees that have ended */
};

/* A call that was open at the beginning of a part, and that the part ended. */
struct off_cpu_end {
	uint64_t user;
	uint32_t function, index, flags;
	uint64_t total_ticks, self_ticks; /* total: without held time since the part began */
};

/* The time charged to the outermost calls of a function that ended in a section. */
struct off_cpu_section {
	struct off_cpu_ticks total;
	uint32_t number; /* of the section */
};

/* Zeroed, with next_ticks UINT64_MAX: no intervals yet. The loops over events in other files read the first three fields. */
struct off_cpu {
	uint64_t next_ticks; /* call off_cpu_advance_slowly before an event later than this */
	bool watch;          /* call off_cpu_settle before the next enter or exit */
	uint32_t depth;      /* length of frames: a call at a lower index needs off_cpu_leave when it ends */

	bool told, late; /* intervals came; the first of them came only after the first event */
	bool in_gap, is_stopped, was_unrecorded; /* records are missing since the last event; recording is
	                                      stopped; one of these was true since off_cpu_settle */
	bool is_held;                      /* the recorder holds the thread up */
	uint64_t covered_ticks;            /* up to here the intervals are complete */
	struct off_cpu_interval *queue;    /* [head … count): in order, without overlaps */
	size_t head, count, capacity;
	bool has_faults;                   /* page faults are recorded */
	uint64_t *faults;                  /* [fault_head … fault_count): ticks of page faults to come, in order */
	size_t fault_head, fault_count, fault_capacity;
	uint64_t recorded_faults;          /* all page faults of the thread; at its own stack */
	struct off_cpu_frame *frames;      /* [0 … depth): calls that were charged, and their callers */
	size_t frame_capacity;
	struct off_cpu_ticks waiting; /* for the self time of the call in which the thread will continue … */
	struct off_cpu_ticks waiting_before; /* … the part of waiting from before the last gap or stop */
	struct off_cpu_ticks unrecorded; /* time in gaps, stops and suspensions: for the total of that call, and no self time */
	struct off_cpu_ticks section_self, section;   /* since the section began: outside of all calls; everywhere */
	struct off_cpu_section *sections;  /* by function */
	size_t section_count, section_capacity;
	struct off_cpu_ticks
		other_stacks; /* charged on the thread's other stacks, up to the time when this stack last began to run */
	/* all = self + lost + outside, apart from held_ticks. */
	struct off_cpu_ticks all, self, lost, outside;
	uint64_t switches; /* number of intervals */

	/* Of a part. */
	uint32_t inherited;   /* open calls from before the part */
	struct off_cpu_end *ends; /* ended calls from before the part */
	size_t end_count, end_capacity;
	struct off_cpu_interval *ahead; /* the intervals in the queue when the part was resumed, and its covered_ticks then */
	size_t ahead_count;
	uint64_t ahead_ticks;
	uint64_t *ahead_faults; /* likewise the page faults */
	size_t ahead_fault_count;
};

#endif
