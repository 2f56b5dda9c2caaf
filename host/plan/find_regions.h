/* find_regions: chooses the instructions of a function to move, so that each gate has room for a jump. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_FIND_REGIONS_H
#define DWELL_HOST_PLAN_FIND_REGIONS_H

#include "plan/work.h"

/* Chooses the regions of a function: at the entry and, if is_timed, at all exits. Marks the bytes as used. Returns PLAN_TIMED, or
 * the reason for the lack of room, or PLAN_REASONS if out of memory; then no bytes are marked. is_second_round: may also take room
 * between functions and redirect jumps. Use is_second_round in the second round, for functions in need of room. */
enum plan_reason plan_regions_choose(struct plan_work *work, bool is_timed, bool is_second_round);
/* Releases everything that plan_regions_choose took. */
void plan_regions_drop(struct plan_work *work);

#endif
