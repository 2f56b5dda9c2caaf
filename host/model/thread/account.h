/* account: adds the calls of a stack to the profile: to the function's row and to the path's node. For stack.c.
 *
 * The low half of a frame's user word belongs to account.c; the high half is the tag (stack_state.h). */
#ifndef DWELL_HOST_MODEL_THREAD_ACCOUNT_H
#define DWELL_HOST_MODEL_THREAD_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/thread/stack_state.h"

/* A counter of begins and ends of calls. Between a call's begin and end it grows by two for
 * each call below. depth: number of open calls. */
static inline uint64_t account_moment(const struct stack *stack, uint32_t depth)
{
	return 2 * stack->finished + depth;
}

/* A frame of the function appeared at index; frames[0 … index) are the callers. unnamed: the function
 * is not known yet. Returns the frame's user word. */
uint64_t account_enter(struct stack *stack, struct thread_context *context, uint32_t index, uint32_t function, bool unnamed);

/* The call has ended. A user word of 0: the begin is missing, and the call encloses all calls since the section began.
 * Returns whether the call was outermost for its function. end: for a part's call that began before the part, else
 * null; stores the call's times for account_carry_call. */
bool account_leave(struct stack *stack, struct thread_context *context, const struct dwell_call *call, uint32_t function,
	struct off_cpu_end *end);

/* The frame was no call: it only stood for a caller. Undoes account_enter. */
void account_forget(struct stack *stack, const struct thread_context *context, const struct dwell_frame *frame);

/* The open call at index was off the CPU for a part of its self time. Without a row or a node,
 * account_leave_off_cpu adds this time later. */
void account_off_cpu(struct stack *stack, struct thread_context *context, uint32_t index, const struct profile_off *self);
/* The same call as in account_leave, directly afterwards. off: the whole time off the CPU charged to the call. */
void account_leave_off_cpu(struct stack *stack, struct thread_context *context, const struct dwell_call *call, uint32_t function,
	const struct off_cpu_frame *off);

/* The part ended this call; *total was charged to the call before the part. */
void account_carry_off_cpu(struct stack *stack, struct thread_context *context, struct stack *part,
	const struct off_cpu_end *end, const struct profile_off *total);

/* Ends the section, and moves the section's tree to the profile.
 *
 * pre: no frame is open, and no later call can enclose the section's calls. */
void account_close_section(struct stack *stack, struct thread_context *context);

/* Moves the counters of each function to the function's row and to the profile's by_thread. A call without a begin, if found later,
 * can no longer take back the totals of the calls in it. So use this when no such call can come, or for an interim view. */
void account_settle(struct stack *stack, struct thread_context *context);

/* The part ended a call that began before the part. Adds the thread's figures from before the part: the number of calls made in the
 * call, and held_ticks, for which the recorder held the call up. */
void account_carry_call(struct stack *stack, struct thread_context *context, struct stack *part, const struct off_cpu_end *end,
	uint64_t held_ticks);

/* Whether two threads' user words are equal except for node and tag. */
bool account_agrees(uint64_t user, uint64_t other);
/* Adds the part's section, and changes the user words of the part's frames to nodes of the thread's tree. False: no room, or the
 * tree is full, and the paths would differ from those of one thread alone. */
bool account_join(struct stack *stack, struct thread_context *context, struct stack *part);

#endif
