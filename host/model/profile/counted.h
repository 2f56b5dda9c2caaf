/* counted: calls that were added up while they were recorded → profile. For model.c.
 *
 * Of a thread they are all calls, or those that were too short to be listed. Time in the latter is in the events, too, as that of the call
 * around them: it is taken from there, so that the profile is what all events would have made it, to the tick. What was said of a thread
 * must fit with its events and with itself, or nothing of it is used, and that is said. */
#ifndef DWELL_HOST_MODEL_PROFILE_COUNTED_H
#define DWELL_HOST_MODEL_PROFILE_COUNTED_H

#include <stdbool.h>
#include <stddef.h>

#include "model/call.h"
#include "model/profile/samples.h"
#include "model/thread/thread.h"
#include "reader/message.h"

/* Zero it before the first use, clear it after the last. */
struct counted {
	struct message_sums **list; /* with all that they point to; in the order of the file */
	size_t count, capacity;
	struct model_counted told;
};

/* False: no memory. */
bool counted_keep(struct counted *counted, const struct message_sums *message);
/* Adds what was told of the thread, which is finished. False: no memory, and some of it is missing. */
bool counted_apply(struct counted *counted, struct sample_paths *paths, struct thread *thread, struct thread_context *context);
/* All threads are there: puts right what pruning the tree split between a path and its caller. */
void counted_settle(const struct counted *counted, struct profile *profile);
void counted_clear(struct counted *counted);

#endif
