/* drain_inner: what the parts of drain share. */
#ifndef DWELL_HOST_RECORD_DRAIN_DRAIN_INNER_H
#define DWELL_HOST_RECORD_DRAIN_DRAIN_INNER_H

#include "record/drain/drain.h"

/* Copies the next bytes of the ring to the desk: each slot is read once, whatever the program does meanwhile. Returns how many, fewer when
 * memory is short. */
uint64_t drain_copy_slots(struct drain *drain, uint64_t bytes, struct workers_desk *desk);
/* These bytes of the ring may be written again. Where a slot is claimed before it is written, the writer must find it zero. */
void drain_give_back(struct drain *drain, uint64_t begin, uint64_t end);
uint64_t drain_now_ns(void);
/* Has the stages take the run; returns whether anything is left of it. */
bool drain_pass(struct drain *drain, struct stage_run *run);

/* drain_turns.c: a job of a drain that has a relay. */
void drain_count_in_turn(struct drain *drain, struct workers_desk *desk);

#endif
