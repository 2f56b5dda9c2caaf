/* calls: begins and ends the calls of a stack: frame, account, values, on_enter and on_call. The files
 * stack.c, landing.c and entries.c decide when. */
#ifndef DWELL_HOST_MODEL_THREAD_CALLS_H
#define DWELL_HOST_MODEL_THREAD_CALLS_H

#include <stdint.h>

#include "core/pair.h"
#include "model/call.h"
#include "model/thread/stack_state.h"

/* Makes room for frames more. Without memory, the pairing counts the calls that do not fit. */
void calls_reserve(struct stack *stack, uint32_t frames);

/* A frame appeared at index; frames appeared from index on. */
void calls_enter(struct stack *stack, struct thread_context *context, uint32_t index);
void calls_enter_from(struct stack *stack, struct thread_context *context, uint32_t index);

/* The call has ended and is off the stack. Subtracts from the total the time for which
 * the recorder held the thread up in callees. */
void calls_leave(struct stack *stack, struct thread_context *context, struct dwell_call *left);
/* Ends all calls that the pairing has finished. */
void calls_take_due(struct stack *stack, struct thread_context *context);
/* Ends all open calls, where the stack was suspended, or now. */
void calls_leave_all(struct stack *stack, struct thread_context *context);
/* If no call is open and the pairing waits to learn where the thread goes on, a section ends; closes the
 * tree's section, too. For events that may end all calls. */
void calls_end_section(struct stack *stack, struct thread_context *context);

/* The open call at index, as far as known, with the tag; and sets the tag. */
struct call calls_get_open(const struct stack *stack, const struct thread_context *context, uint32_t index);
void calls_tag_open(struct stack *stack, uint32_t index, uint32_t tag);

#endif
