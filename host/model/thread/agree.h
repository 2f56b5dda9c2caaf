/* agree: compares a checkpoint with the open calls of a thread. For stacks.c. */
#ifndef DWELL_HOST_MODEL_THREAD_AGREE_H
#define DWELL_HOST_MODEL_THREAD_AGREE_H

#include <stdbool.h>

#include "model/thread/thread.h"
#include "reader/message.h"

/* Whether each stack has the checkpoint's open calls, with the same times of entry and times in callees. The
 * thread's state is then right, in spite of any loss before. */
bool agree_with_checkpoint(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message);

#endif
