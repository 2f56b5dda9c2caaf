/* checkpoint_match: compares a checkpoint of the trace with the open calls of a thread, after a loss. For stacks.c. */
#ifndef DWELL_HOST_MODEL_THREAD_CHECKPOINT_MATCH_H
#define DWELL_HOST_MODEL_THREAD_CHECKPOINT_MATCH_H

#include <stdbool.h>

#include "model/thread/thread.h"
#include "reader/message.h"

/* Whether each stack has exactly the checkpoint's open calls, with the same times of entry and in callees. If so, the thread's
 * state is right, in spite of a loss before the checkpoint. */
bool checkpoint_matches_thread(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message);

#endif
