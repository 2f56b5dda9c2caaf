/* off_cpu: divides a thread's times off the CPU (from message_switches) and its page faults (from message_faults) among the
 * thread's calls. For stack.c, calls.c and stacks.c.
 *
 * Before each event, the intervals since the event before are charged to the innermost open call, exactly where the pairing puts
 * the time: as self time, as lost, or as outside. So, for each thread with complete intervals,
 *
 *     off in self time + off in lost time + off in outside time  =  off from its first event to its last
 *
 * and a function's time off the CPU is a part of the function's self time. A call's total is
 * the time charged while the call was open. A page fault is charged in the same way, by its moment.
 *
 * A thread that is never off the CPU, and has no page fault, costs one comparison of each event with next_ticks. Time without
 * information is a third kind of interval (OFF_CPU_UNKNOWN). */
#ifndef DWELL_HOST_MODEL_THREAD_OFF_CPU_H
#define DWELL_HOST_MODEL_THREAD_OFF_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pair.h"
#include "model/profile/profile.h"
#include "model/thread/off_cpu_state.h"
#include "reader/message.h"

struct stack;
struct thread_context;

/* Adds the message's intervals to the queue of the stack. Skips time before the stack's last event, and time in intervals that are
 * already in the queue. */
void off_cpu_add_intervals(struct stack *stack, const struct message_switches *message);

/* The thread changes from the stack from to the stack to, which was suspended for suspended_ticks. Moves the queue of intervals to
 * the stack to, whose calls are charged from here on. Adds the suspension to the totals of its open calls, as time off the CPU. */
void off_cpu_hand_over(struct stack *to, struct stack *from, uint64_t suspended_ticks);

/* The next event is at ticks: charges the intervals before it. */
void off_cpu_advance_slowly(struct stack *stack, struct thread_context *context, uint64_t ticks);

/* For the events LOST (records are missing up to the next event), STOP and GO_ON. Call each before the pairing gets the event. */
void off_cpu_begin_gap(struct off_cpu *off);
void off_cpu_stop(struct off_cpu *off);
void off_cpu_go_on(struct off_cpu *off);
/* off_cpu_hold: the recorder begins to hold the thread up (HELD). Time off the CPU until off_cpu_hold_end counts only as held. Call
 * it before the pairing gets the event. off_cpu_hold_end: the thread was held up for ticks (HELD_END). These ticks stay in the
 * totals of the open calls until the calls end. Call after the pairing got the event. */
void off_cpu_hold(struct off_cpu *off);
void off_cpu_hold_end(struct stack *stack, struct thread_context *context, uint64_t ticks);

/* The thread continues with depth calls open: charges the waiting time. Call before the pairing gets an enter, or
 * another event that shows where the thread continues. */
void off_cpu_settle(struct stack *stack, struct thread_context *context, uint32_t depth);
/* All calls have ended, and the thread continues outside of calls: a section of the pairing begins. Call before off_cpu_settle. */
void off_cpu_begin_section(struct off_cpu *off);
/* For an exit while no call is open, or while watch is set. Call off_cpu_before_exit before the pairing gets the exit. The exit may
 * end several calls: call off_cpu_after_exit with the outermost of them, before account_leave. Null: the exit ends no call. */
void off_cpu_before_exit(struct stack *stack, struct thread_context *context);
void off_cpu_after_exit(struct stack *stack, struct thread_context *context, const struct dwell_call *call);

/* The pairing took the frames from index known on from a checkpoint. had_begun: the thread had events before, and the gap began at
 * gap_ticks; otherwise these are the thread's first frames. known_child_ticks: child_ticks of the frame below known, before the
 * checkpoint. */
void off_cpu_adopt(struct stack *stack, struct thread_context *context, bool had_begun, uint32_t known, uint64_t gap_ticks,
	uint64_t known_child_ticks);

/* A call has ended. Adds the time charged to the call to its caller's total. Returns that time. */
struct off_cpu_frame off_cpu_leave(struct off_cpu *off, const struct dwell_call *call, uint32_t function);

/* Whether intervals cover the stack's time from its first event on. If not, all its time counts as unknown. */
bool off_cpu_is_covered(const struct stack *stack);

/* Makes the whole time of the thread's row time of unknown state (on or off the CPU). */
void off_cpu_set_unknown(struct profile_thread *row, struct thread_context *context);

/* The data ends. Fills in the row's fields about time off the CPU, and page faults inside of events. */
void off_cpu_finish(struct stack *stack, struct thread_context *context);
/* Counts as outside those of the thread's recorded faults that are in no call's time: also those before its first event and after
 * its last. */
void off_cpu_set_outside_faults(struct profile_thread *row, uint64_t recorded);
void off_cpu_clear(struct off_cpu *off);

/* ---- parts: see part.h; off_cpu_part.c ---- */

/* A part begins after an event at ticks, with count open calls. False: no memory. */
bool off_cpu_resume(struct off_cpu *off, uint32_t count, uint64_t ticks);
/* Whether the intervals with which the part began are those that the thread has at ticks. */
bool off_cpu_agrees(const struct off_cpu *off, const struct off_cpu *part, uint64_t ticks);
/* Whether the recorder held the thread up, before the part, in a call that the part ended. The part has then passed too long a
 * total to on_call. */
bool off_cpu_has_held(const struct off_cpu *off, const struct off_cpu *part);
/* Adds the times that the part charged, and takes over the part's state. Call before account_join. False: no memory. */
bool off_cpu_join(struct stack *stack, struct thread_context *context, struct stack *part);

#endif
