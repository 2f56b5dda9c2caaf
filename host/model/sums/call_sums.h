/* call_sums: adds calls to the profile which the recorder only added up, by path (messages SUMS). For model.c, at the end of the
 * data.
 *
 * The sums of a thread have either all calls, or only calls too short for events of their own. In the events, the time of a short
 * call is self time of the calls around the short call (taken_ticks). dwell subtracts this time there, so the profile equals a
 * profile of all events, to the tick. The sums of a thread must agree with the thread's events and with each other. Otherwise
 * call_sums_apply ignores all sums of the thread, and writes a diag. */
#ifndef DWELL_HOST_MODEL_SUMS_CALL_SUMS_H
#define DWELL_HOST_MODEL_SUMS_CALL_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/call.h"
#include "model/sums/samples.h"
#include "model/thread/thread.h"
#include "reader/message.h"

/* Zero before the first use; call_sums_clear after the last. */
struct call_sums {
	struct message_sums **list; /* the messages, copied with all their lists, in the order of the file; owned */
	size_t count, capacity;
	struct model_counted_calls told; /* the sums over all messages, for model_get_counted_calls */
};

/* Copies the message. The functions and times in it are used only at the end. False: no memory. */
bool call_sums_add(struct call_sums *call_sums, const struct message_sums *message);
/* Adds the sums of a finished thread. False: no memory, and some sums are missing. */
bool call_sums_apply(
	struct call_sums *call_sums, struct sample_paths *paths, struct thread *thread, struct thread_context *context);
/* Call after call_sums_apply for all threads. Corrects tree nodes with a negative self time after the subtraction: the tree was
 * pruned between a path and the caller's path. */
void call_sums_settle(const struct call_sums *call_sums, struct profile *profile);
void call_sums_clear(struct call_sums *call_sums);

#endif
