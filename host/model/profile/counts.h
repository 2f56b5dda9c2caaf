/* counts: counts of pieces of code → profile. For model.c.
 *
 * A count is so many samples, of which nobody knows the order, nor who called. A piece may be of several functions, since they begin where
 * they like: its count is shared out by the bytes that are each one's. */
#ifndef DWELL_HOST_MODEL_PROFILE_COUNTS_H
#define DWELL_HOST_MODEL_PROFILE_COUNTS_H

#include <stdbool.h>

#include "model/thread/thread.h"
#include "reader/message.h"

/* What the samples are called that found the thread where no code is counted, and those that a full count could not take. */
#define COUNTS_OUTSIDE "[outside of all segments]"
#define COUNTS_BEYOND "[at a full counter]"

/* False: no memory, and some of it is missing. */
bool counts_feed(struct thread *thread, struct thread_context *context, const struct message_counts *message);

#endif
