/* pc_counts: adds machines' histograms of program counters to the profile (messages COUNTS): numbers of samples, by piece
 * of code. For model.c.
 *
 * A piece of code has a fixed number of bytes. Its count is a number of samples in unknown order, without callers. A piece may have
 * code of several functions: its count is divided among them, in proportion to their bytes in the piece. */
#ifndef DWELL_HOST_MODEL_SUMS_PC_COUNTS_H
#define DWELL_HOST_MODEL_SUMS_PC_COUNTS_H

#include <stdbool.h>

#include "model/thread/thread.h"
#include "reader/message.h"

/* Names of two functions in the profile: for samples outside of all code with counters, and for samples at a full counter. */
#define PC_COUNTS_OUTSIDE "[outside of all segments]"
#define PC_COUNTS_FULL "[at a full counter]"

/* False: no memory, and some counts are missing. */
bool pc_counts_feed(struct thread *thread, struct thread_context *context, const struct message_counts *message);

#endif
