/* account: adds each call of a stack to the profile: to the row of its function, and to the tree node of its path. For calls.c
 * and the files that begin and end calls.
 *
 * The low half of a frame's user word belongs to account.c; the high half is the tag (stack_state.h). */
#ifndef DWELL_HOST_MODEL_THREAD_ACCOUNT_H
#define DWELL_HOST_MODEL_THREAD_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/thread/stack_state.h"

/* A counter of begins and ends of calls. Between the begin and the end of a call, the counter grows by two for each call made
 * within. depth: number of open calls. */
static inline uint64_t account_moment(const struct stack *stack, uint32_t depth)
{
	return 2 * stack->finished + depth;
}

/* A call of the function begins: its frame is at index, and frames[0 … index) are the callers. unnamed: the function is not known
 * yet. Returns the frame's user word. */
uint64_t account_enter(struct stack *stack, struct thread_context *context, uint32_t index, uint32_t function, bool unnamed);

/* The call has ended. If call->user is 0, its begin is missing: the call encloses all calls since the section began. Returns
 * whether the call was outermost for its function. end: null, or, for a call that began before the part (part.h), where to
 * store the call's times for account_carry_call. */
bool account_leave(struct stack *stack, struct thread_context *context, const struct dwell_call *call, uint32_t function,
	struct off_cpu_end *end);

/* Undoes account_enter for a frame that stood for a caller and was no call (entries.c). */
void account_undo_enter(struct stack *stack, const struct thread_context *context, const struct dwell_frame *frame);

/* The open call at index was off the CPU for the time *self, a part of its self time. If the call has no row or no node yet,
 * account_leave_off_cpu adds the time later. */
void account_off_cpu(struct stack *stack, struct thread_context *context, uint32_t index, const struct off_cpu_ticks *self);
/* The same call as in account_leave, directly afterwards. off: the whole time off the CPU charged to the call. */
void account_leave_off_cpu(struct stack *stack, struct thread_context *context, const struct dwell_call *call, uint32_t function,
	const struct off_cpu_frame *off);

/* The part ended a call that began before the part. Adds *total, the time off the CPU that the call had before the part. */
void account_carry_off_cpu(struct stack *stack, struct thread_context *context, struct stack *part,
	const struct off_cpu_end *end, const struct off_cpu_ticks *total);

/* Ends the section (the time since the stack was last empty at a gap), and moves the section's tree to the profile.
 *
 * pre: no frame is open, and no later call can enclose the section's calls. */
void account_close_section(struct stack *stack, struct thread_context *context);

/* Moves the stack's counters of each function to the function's row and to the profile's by_thread. If an exit later shows a call
 * without a begin, the totals of the calls in it stay, and count twice. So use this when no such call can come, or for an
 * interim view. */
void account_settle(struct stack *stack, struct thread_context *context);

/* The part ended a call that began before the part. Adds the thread's figures from before the part: the number of calls made in the
 * call, and held_ticks, for which the recorder held the call up. */
void account_carry_call(struct stack *stack, struct thread_context *context, struct stack *part, const struct off_cpu_end *end,
	uint64_t held_ticks);

/* Whether two threads' user words are equal except for node and tag. */
bool account_agrees(uint64_t user, uint64_t other);
/* Adds the counters and the tree of the part's section to the stack, and changes the user words of the part's frames to nodes of
 * the stack's tree. False: no memory, or the tree is full: a single thread might have kept other paths. */
bool account_join(struct stack *stack, struct thread_context *context, struct stack *part);

#endif
