/* drain_row: dwell_fold_slots for rows of usual slots, in half the time. For the drain and for stages. */
#ifndef DWELL_HOST_RECORD_DRAIN_DRAIN_ROW_H
#define DWELL_HOST_RECORD_DRAIN_DRAIN_ROW_H

#include <stdint.h>

#include "core/fold.h"
#include "record/stage/path_sums.h"

/* Takes enters, exits of the innermost call, and repeated TIMEs, up to the first slot of another kind. Returns the number of slots
 * taken. Give the rest, even if empty, to dwell_fold_slots, which also completes the summary. With a listener for calls
 * (fold->calls) the row stops at calls with a .user, and reports no calls without a .user. */
uint32_t drain_fold_row(struct dwell_fold *fold, const uint64_t *slots, uint32_t count);
/* Like drain_fold_row, and adds finished calls to sums. The fold's listener gets only calls finished by dwell_fold_slots. */
uint32_t drain_count_row(struct dwell_fold *fold, const uint64_t *slots, uint32_t count, struct path_sums *sums);

#endif
