/* landing: finds the call in which the thread goes on after an unwind, a gap or a stop. For stack.c. */
#ifndef DWELL_HOST_MODEL_THREAD_LANDING_H
#define DWELL_HOST_MODEL_THREAD_LANDING_H

#include <stdint.h>

#include "model/thread/stack_state.h"
#include "reader/message.h"

/* A LANDED after an unwind: the recorder names the call that goes on. */
void landing_take(
	struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, uint32_t payload, uint64_t ticks);
/* An enter with a call site, after an unwind without a recorded landing: the open call whose function
 * contains the site goes on, as far as symbols show. */
void landing_take_site(struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, uint64_t ticks);
/* No LANDED after the unwind named an open call. After a gap that left unknown frames open, ends all open calls and begins
 * the call that goes on, if known; elsewhere does nothing. */
void landing_settle_misfit(struct stack *stack, struct thread_context *context);
/* An exit of the function follows, maybe of a call that the data does not show as open. */
void landing_take_exit(struct stack *stack, struct thread_context *context, uint32_t id);

#endif
