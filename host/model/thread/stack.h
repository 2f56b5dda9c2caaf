/* stack: pairs the events of one stack into calls, and adds the calls to the profile. For stacks.c, which divides a thread's events
 * among the stacks of its coroutines. */
#ifndef DWELL_HOST_MODEL_THREAD_STACK_H
#define DWELL_HOST_MODEL_THREAD_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/thread/stack_state.h"
#include "reader/message.h"

/* Null: no memory. */
struct stack *make_stack(uint32_t stream);
void free_stack(struct stack *stack);

/* Feeds events, up to and including the first STACK event or the first event for which stack_event_hides_calls. Returns the number
 * of consumed events. Without memory it drops all events. */
uint32_t stack_feed_events(struct stack *stack, struct thread_context *context, const struct message_events *message);
/* Whether the stack's open calls are not certain, so that the next checkpoint has to confirm or replace them. */
bool stack_needs_checkpoint(const struct stack *stack);
/* Replaces open calls that contradict the checkpoint. earliest_ticks: the data of the thread begins here, so no call was entered
 * before; 0: unknown. */
void stack_take_checkpoint(struct stack *stack, struct thread_context *context, const struct message_checkpoint *message,
	uint64_t earliest_ticks);
/* The calls that are open in from are open in stack, which is new, as calls begun before the data. The data begins at ticks. Both
 * models have the same functions. */
void stack_adopt(struct stack *stack, struct thread_context *context, const struct stack *from, uint64_t ticks);
/* Whether, after this event, the open calls of all stacks are unknown. */
static inline bool stack_event_hides_calls(const struct event *event)
{
	return event->kind == EVENT_LOST_POPS && event->value == DWELL_PAIR_ALL;
}
/* Applies such an event to a suspended stack: ends all its open calls. */
void stack_forget_open_calls(struct stack *stack, struct thread_context *context);
void stack_finish(struct stack *stack, struct thread_context *context);

/* For a part (part.h): begins in the middle of the data, in the state of the checkpoint. False: the checkpoint alone has
 * too little information, and the part must be discarded. */
bool stack_resume(struct stack *stack, struct thread_context *context, const struct message_checkpoint *message);

#endif
