/* entries: counts calls without recorded exits, which are never open. For stack.c. */
#ifndef DWELL_HOST_MODEL_THREAD_ENTRIES_H
#define DWELL_HOST_MODEL_THREAD_ENTRIES_H

#include "model/thread/stack_state.h"
#include "reader/message.h"

/* An EVENT_ENTRY, maybe after a CALLER, which belongs to the call. The caller of the call is the function that contains the call
 * site. This function may not be open: it may have no hooks, or no recorded exits. The call's path then leads through the
 * function all the same, as if open above the innermost open call. */
void entries_count(struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, const struct event *event);

#endif
