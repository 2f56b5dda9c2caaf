/* drain_row: what dwell_fold_slots does, for slots among which nothing is unusual, in half the time. For drain.c. */
#ifndef DWELL_HOST_RECORD_DRAIN_DRAIN_ROW_H
#define DWELL_HOST_RECORD_DRAIN_DRAIN_ROW_H

#include <stdint.h>

#include "core/fold.h"
#include "record/stage/path_sums.h"

/* Takes enters, exits of the call that is innermost, and TIMEs that say the same again, up to the first slot that is none of these. Returns
 * how many; the others, if only none, are to be given to dwell_fold_slots, which also makes the summary whole. Where somebody wants calls
 * (fold->calls), those with a .user are not taken, and the others not handed out. */
uint32_t drain_fold_row(struct dwell_fold *fold, const uint64_t *slots, uint32_t count);
/* The same, and calls that end become sums; those that the fold finishes are for its listener. */
uint32_t drain_count_row(struct dwell_fold *fold, const uint64_t *slots, uint32_t count, struct path_sums *sums);

#endif
