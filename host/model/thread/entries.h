/* entries: counts the calls of functions whose exits are not recorded (event ENTRY). Such a call is never open. For stack.c. */
#ifndef DWELL_HOST_MODEL_THREAD_ENTRIES_H
#define DWELL_HOST_MODEL_THREAD_ENTRIES_H

#include "model/thread/stack_state.h"
#include "reader/message.h"

/* Counts the call of an EVENT_ENTRY. If a CALLER event came before it, the call's caller is the function that contains that call
 * site. The caller may have no open frame, as it has no hooks or no recorded exits. The call's path leads through the caller
 * nevertheless, as if the caller were open above the innermost open call. */
void entries_count(struct stack *stack, struct thread_context *context, enum dwell_place_kind kind, const struct event *event);

#endif
