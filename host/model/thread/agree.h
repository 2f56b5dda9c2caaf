/* agree: whether a checkpoint says what is known anyway. For stacks.c. */
#ifndef DWELL_HOST_MODEL_THREAD_AGREE_H
#define DWELL_HOST_MODEL_THREAD_AGREE_H

#include <stdbool.h>

#include "model/thread/thread_state.h"
#include "reader/message.h"

/* Whether on each stack the same calls are open, entered then, with as much time in callees: whatever was lost before, the thread stands
 * where its events have brought it. */
bool agree_with_checkpoint(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message);

#endif
