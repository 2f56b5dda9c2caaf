/* off_state: what is kept of a thread to know when it was off the CPU; see off.h. */
#ifndef DWELL_HOST_MODEL_THREAD_OFF_STATE_H
#define DWELL_HOST_MODEL_THREAD_OFF_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/call.h"
#include "model/profile/profile.h"

/* Intervals of a thread that wait for events, at most: a trace that claims more before the next event is not believed in that. */
#define OFF_QUEUE_MAX (1u << 22)

struct off_interval {
	uint64_t begin_ticks, end_ticks;
	enum off_kind kind;
};

/* What an open call, or one that ends, has been charged with. */
struct off_frame {
	struct profile_off self;
	struct profile_off total; /* with what it called: of the open ones above it only when they end */
};

/* A call that was open where a part was resumed, and that the part ended. */
struct off_end {
	uint64_t user;
	uint32_t function, index;
};

/* What outermost calls of a function were charged with that ended in a section. */
struct off_section {
	struct profile_off total;
	uint32_t number; /* of the section */
};

/* Zeroed, with next_ticks UINT64_MAX: nothing was told. Read next_ticks, watch and depth, leave the rest alone. */
struct off {
	uint64_t next_ticks; /* an event later than this is to be announced by off_advance */
	bool watch;          /* the next enter or exit is to be announced by off_settle */
	uint32_t depth;      /* a call with fewer below it than this was charged, or called one that was: off_leave says with what */

	bool told, late; /* late: not before the first event */
	bool in_gap, is_paused, was_away; /* since the last event of its own; recording is off; either, since off_settle */
	bool is_held;                     /* the recorder holds the thread up */
	uint64_t covered_ticks;           /* until then it is known when it was off */
	struct off_interval *queue;       /* [head … count): in order, apart */
	size_t head, count, capacity;
	struct off_frame *frames;         /* [0 … depth): those that were charged, or are below one that was */
	size_t frame_capacity;
	struct profile_off waiting, waiting_before; /* to be charged to where the thread goes on; what of it is from before it was away */
	struct profile_off away; /* to be in the total of where it goes on, and nobody's own */
	struct profile_off section_self, section;   /* since the section of pairing began: outside of calls; all */
	struct off_section *sections;               /* by function */
	size_t section_count, section_capacity;
	struct profile_off others; /* what other stacks of the thread were charged with, up to when this one ran last */
	/* What adds up. */
	struct profile_off all, self, lost, outside;
	uint64_t switches; /* intervals */

	/* Of a part. */
	uint32_t inherited;   /* calls that are open still since before it */
	struct off_end *ends; /* of the others */
	size_t end_count, end_capacity;
	struct off_interval *ahead; /* what waited when it was resumed, and until when that was known */
	size_t ahead_count;
	uint64_t ahead_ticks;
};

#endif
