/* off: when a thread was off the CPU, merged into its events by time. For thread.c.
 *
 * Before each event, what of the intervals lies between it and the event before is charged to the call that was innermost then; exactly
 * where the pairing puts that time as self time, as lost, or as outside. So, for each thread, and where all is known of it
 *
 *     off in self time + off in lost time + off in outside time  =  off from its first event to its last
 *
 * and of each function the time off the CPU is a part of its self time. A call's total is what was charged while it was open.
 *
 * A thread that is never off the CPU costs one comparison an event: with next_ticks. What is not told is a third kind of interval. */
#ifndef DWELL_HOST_MODEL_THREAD_OFF_H
#define DWELL_HOST_MODEL_THREAD_OFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pair.h"
#include "model/profile/profile.h"
#include "reader/message.h"

/* Intervals of a thread that wait for events, at most: a trace that claims more before the next event is not believed in that. */
#define OFF_QUEUE_MAX (1u << 22)

enum off_kind { OFF_WAITING, OFF_PREEMPTED, OFF_UNKNOWN };

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

struct thread;
struct thread_context;


/* Intervals of the thread; what lies before its last event, or was told before, is passed over. */
void off_tell(struct thread *thread, const struct message_switches *message);

/* The thread goes on on another stack, whose calls are charged from here on: what is not over is told of that one. What others were charged
 * with while it waited is in the totals of its open calls. */
void off_hand_over(struct thread *to, struct thread *from);

/* The next event is at ticks. */
void off_advance_slowly(struct thread *thread, struct thread_context *context, uint64_t ticks);

/* Records are lost from here to the next event; recording stops, and goes on. Before the pairing is told. */
void off_lose(struct off *off);
void off_pause(struct off *off);
void off_go_on(struct off *off);
/* The recorder holds the thread up: what it is off the CPU meanwhile is no other time than that. Before the pairing is told. And has let it
 * go on, after so many ticks, which the calls that are open have in their totals until they end: when the pairing has been told. */
void off_hold(struct off *off);
void off_let_go(struct thread *thread, struct thread_context *context, uint64_t ticks);

/* The thread goes on where depth calls are open: before an enter, or the like, is paired. */
void off_settle(struct thread *thread, struct thread_context *context, uint32_t depth);
/* All calls have ended where it left them, and what goes on is none of them. Before off_settle. */
void off_begin_section(struct off *off);
/* An exit comes, when no call is open or watch is set: before it is paired; and, with watch, when the last of the calls that it ends is
 * paired and not counted yet (null: it ended none). */
void off_before_exit(struct thread *thread, struct thread_context *context);
void off_after_exit(struct thread *thread, struct thread_context *context, const struct dwell_call *call);

/* Frames from index known on were adopted from a checkpoint: had_begun: after a gap that began at gap_ticks, else as the thread's first.
 * known_child_ticks is what the frame below them had spent in calls before. */
void off_adopt(struct thread *thread, struct thread_context *context, bool had_begun, uint32_t known, uint64_t gap_ticks,
	uint64_t known_child_ticks);

/* A call is over: what it was charged with. */
struct off_frame off_leave(struct off *off, const struct dwell_call *call, uint32_t function);

/* What outermost calls of the function that ended since the section began were charged with: takes all of it from a sum; and more of it. */
void off_take_section_total(struct thread *thread, uint32_t function, struct profile_off *from);
void off_add_section_total(struct thread *thread, uint32_t function, const struct profile_off *total);

/* Whether all was told that is needed to know when the thread was off the CPU, if only that it is unknown. */
bool off_is_told(const struct thread *thread);

/* A row of which it is not known, from its first event to its last. */
void off_set_unknown(struct profile_thread *row, struct thread_context *context);

/* The data ends. Fills in what the row of the thread says of it. */
void off_finish(struct thread *thread, struct thread_context *context);
void off_clear(struct off *off);

/* ---- parts: see part.h; off_part.c ---- */

/* A part goes on behind an event at ticks, in count calls. False: no memory. */
bool off_resume(struct off *off, uint32_t count, uint64_t ticks);
/* Whether the part knew, when it was resumed, what the thread knows: where that stands, at ticks. */
bool off_agrees(const struct off *off, const struct off *part, uint64_t ticks);
/* Whether a call that the part ended was open while the thread was held up before it: the part took its total to be longer. */
bool off_has_held(const struct off *off, const struct off *part);
/* Adds what the part did, and takes over where it stands. Before the paths are joined. False: it cannot be told, or there is no memory. */
bool off_join(struct thread *thread, struct thread_context *context, struct thread *part);

#endif
