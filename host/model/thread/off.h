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
#include "model/thread/off_state.h"
#include "reader/message.h"

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
