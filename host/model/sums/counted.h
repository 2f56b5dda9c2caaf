/* counted: sums of calls, added up during recording, → profile. For model.c.
 *
 * The sums contain either all calls of a thread, or the calls too short to be listed. The time of short calls is also in the
 * events, as time of the calls around them, where it is subtracted: the profile then equals that of all events, to the tick. A
 * thread's sums must agree with the events and among themselves; if not, counted_apply ignores them all, and writes a diag. */
#ifndef DWELL_HOST_MODEL_SUMS_COUNTED_H
#define DWELL_HOST_MODEL_SUMS_COUNTED_H

#include <stdbool.h>
#include <stddef.h>

#include "model/call.h"
#include "model/sums/samples.h"
#include "model/thread/thread.h"
#include "reader/message.h"

/* Zero before the first use; counted_clear after the last. */
struct counted {
	struct message_sums **list; /* deep copies, in the order of the file */
	size_t count, capacity;
	struct model_counted told;
};

/* False: no memory. */
bool counted_keep(struct counted *counted, const struct message_sums *message);
/* Adds the sums of a finished thread. False: no memory, and some sums are missing. */
bool counted_apply(struct counted *counted, struct sample_paths *paths, struct thread *thread, struct thread_context *context);
/* Corrects nodes with a negative self, as the tree was pruned between a path and its caller. pre: all threads are added. */
void counted_settle(const struct counted *counted, struct profile *profile);
void counted_clear(struct counted *counted);

#endif
