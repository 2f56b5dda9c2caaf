/* calls: what happens at the begin and the end of each call of a stack: counts (account.h), values, and the callbacks on_enter and
 * on_call. The files stack.c, landing.c and entries.c decide when a call begins or ends. */
#ifndef DWELL_HOST_MODEL_THREAD_CALLS_H
#define DWELL_HOST_MODEL_THREAD_CALLS_H

#include <stdint.h>

#include "core/pair.h"
#include "model/call.h"
#include "model/thread/stack_state.h"

/* Makes room for so many more frames. Without memory, the pairing only counts the calls that do not fit. */
void calls_reserve(struct stack *stack, uint32_t frames);

/* A call begins: the pairing has made its frame, at index. The second function: for all frames from index on. */
void calls_enter(struct stack *stack, struct thread_context *context, uint32_t index);
void calls_enter_from(struct stack *stack, struct thread_context *context, uint32_t index);

/* The call has ended and is off the stack. Subtracts from the total the time for which
 * the recorder held the thread up in callees. */
void calls_leave(struct stack *stack, struct thread_context *context, struct dwell_call *left);
/* Ends all calls that the pairing has finished. */
void calls_leave_due(struct stack *stack, struct thread_context *context);
/* Ends all open calls: at the time when the stack was suspended, or at the last event of a running stack. */
void calls_leave_all(struct stack *stack, struct thread_context *context);
/* Call after an event that may end all calls. If no call is open, and the pairing does not know yet where the thread continues,
 * the section of the pairing has ended: ends the section in account.c, too. */
void calls_end_section(struct stack *stack, struct thread_context *context);

/* The open call at index, as far as known; and a function that replaces its tag. */
struct call calls_get_open(const struct stack *stack, const struct thread_context *context, uint32_t index);
void calls_tag_open(struct stack *stack, uint32_t index, uint32_t tag);

#endif
