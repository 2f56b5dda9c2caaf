/* counts: counts of samples in pieces of code → profile. For model.c.
 *
 * A count is a number of samples in unknown order, without callers. A piece may contain several functions, since functions begin
 * anywhere: its count is divided by the functions' numbers of bytes in the piece. */
#ifndef DWELL_HOST_MODEL_SUMS_COUNTS_H
#define DWELL_HOST_MODEL_SUMS_COUNTS_H

#include <stdbool.h>

#include "model/thread/thread.h"
#include "reader/message.h"

/* Names for samples outside of all counted code, and for samples that a full counter could not count. */
#define COUNTS_OUTSIDE "[outside of all segments]"
#define COUNTS_BEYOND "[at a full counter]"

/* False: no memory, and some counts are missing. */
bool counts_feed(struct thread *thread, struct thread_context *context, const struct message_counts *message);

#endif
