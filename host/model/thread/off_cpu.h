/* off_cpu: merges a thread's times off the CPU into the thread's events. For stack.c.
 *
 * Before each event, the intervals since the event before are charged to the innermost open call, exactly where the pairing puts
 * the time: as self time, as lost, or as outside. So, for each thread with complete intervals,
 *
 *     off in self time + off in lost time + off in outside time  =  off from its first event to its last
 *
 * and a function's time off the CPU is a part of the function's self time. A call's total is
 * the time charged while the call was open.
 *
 * A thread that is never off the CPU costs one comparison per event, with next_ticks. Time without
 * information is a third kind of interval (OFF_UNKNOWN). */
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

/* Adds intervals of the thread. Skips time before the last event, and time in earlier intervals. */
void off_cpu_tell(struct stack *stack, const struct message_switches *message);

/* The thread changes to the stack to, suspended for suspended_ticks, whose calls are charged from here on. Moves the unfinished
 * intervals to that stack, and adds the suspension to the totals of the stack's open calls, as time off the CPU. */
void off_cpu_hand_over(struct stack *to, struct stack *from, uint64_t suspended_ticks);

/* The next event is at ticks: charges the intervals before it. */
void off_cpu_advance_slowly(struct stack *stack, struct thread_context *context, uint64_t ticks);

/* Records are lost from here to the next event; recording stops; recording goes on. Call each before the pairing gets the event. */
void off_cpu_lose(struct off_cpu *off);
void off_cpu_stop(struct off_cpu *off);
void off_cpu_go_on(struct off_cpu *off);
/* off_cpu_hold: the recorder begins to hold the thread up; time off the CPU until off_cpu_let_go counts only as held. Call before
 * the pairing gets the event. off_cpu_let_go: the recorder held the thread up for ticks; they stay in the totals of the open calls
 * until the calls end. Call after the pairing got the event. */
void off_cpu_hold(struct off_cpu *off);
void off_cpu_let_go(struct stack *stack, struct thread_context *context, uint64_t ticks);

/* The thread goes on with depth calls open. Call before an enter, or a similar event, is paired. */
void off_cpu_settle(struct stack *stack, struct thread_context *context, uint32_t depth);
/* All calls ended where the thread left them, and the thread goes on outside of them. Call before off_cpu_settle. */
void off_cpu_begin_section(struct off_cpu *off);
/* An exit comes while no call is open or watch is set. Call off_cpu_before_exit before the exit is paired. Call off_cpu_after_exit
 * when the last call ended by the exit is paired, before account_leave (null: the exit ends no call). */
void off_cpu_before_exit(struct stack *stack, struct thread_context *context);
void off_cpu_after_exit(struct stack *stack, struct thread_context *context, const struct dwell_call *call);

/* Frames from index known on were adopted from a checkpoint: after a gap that began at gap_ticks (had_begun), or as the thread's
 * first frames. known_child_ticks: earlier child_ticks of the frame below. */
void off_cpu_adopt(struct stack *stack, struct thread_context *context, bool had_begun, uint32_t known, uint64_t gap_ticks,
	uint64_t known_child_ticks);

/* A call has ended. Returns the time charged to the call, after adding it to the caller's total. */
struct off_cpu_frame off_cpu_leave(struct off_cpu *off, const struct dwell_call *call, uint32_t function);

/* Whether the data covers the stack from the first event on: on the CPU, off the CPU, or unknown. */
bool off_cpu_is_told(const struct stack *stack);

/* Makes the row's whole time unknown time off the CPU. */
void off_cpu_set_unknown(struct profile_thread *row, struct thread_context *context);

/* The data ends. Fills in the row's fields about time off the CPU. */
void off_cpu_finish(struct stack *stack, struct thread_context *context);
void off_cpu_clear(struct off_cpu *off);

/* ---- parts: see part.h; off_cpu_part.c ---- */

/* A part goes on after an event at ticks, with count open calls. False: no memory. */
bool off_cpu_resume(struct off_cpu *off, uint32_t count, uint64_t ticks);
/* Whether the part's intervals at its beginning agree with the thread's, at ticks. */
bool off_cpu_agrees(const struct off_cpu *off, const struct off_cpu *part, uint64_t ticks);
/* Whether the thread was held up, before the part, in a call ended by the part: the part has then reported too long a total. */
bool off_cpu_has_held(const struct off_cpu *off, const struct off_cpu *part);
/* Adds the part's charges, and continues from the part's state. Call it before the paths are joined. False: no memory. */
bool off_cpu_join(struct stack *stack, struct thread_context *context, struct stack *part);

#endif
