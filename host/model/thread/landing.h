/* landing: finds the call in which the thread continues after an unwind (longjmp, exception), a gap or a stop. For stack.c. */
#ifndef DWELL_HOST_MODEL_THREAD_LANDING_H
#define DWELL_HOST_MODEL_THREAD_LANDING_H

#include <stdint.h>

#include "model/thread/stack_state.h"
#include "reader/message.h"

/* A LANDED event after an unwind: the recorder names the call that continues. payload: as in FORMAT.md; 0: no call is open. */
void landing_take(
	struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, uint32_t payload, uint64_t ticks);
/* An enter with a call site, after an unwind without LANDED: the open call whose function contains the site continues, as far as
 * symbols show. */
void landing_take_site(struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, uint64_t ticks);
/* Call when no LANDED after an unwind named an open call. If a gap before it may have hidden open frames, ends all open calls,
 * and begins the call that continues, if known. Otherwise does nothing. */
void landing_settle_misfit(struct stack *stack, struct thread_context *context);
/* Call before an exit of the function: the exit may be of a call that the data does not show as open. */
void landing_take_exit(struct stack *stack, struct thread_context *context, uint32_t id);

#endif
