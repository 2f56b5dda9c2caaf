/* off_inner: what the charging of time off the CPU (off.c) and the joining of its parts (off_part.c) share. For nobody else. */
#ifndef DWELL_HOST_MODEL_THREAD_OFF_INNER_H
#define DWELL_HOST_MODEL_THREAD_OFF_INNER_H

#include "model/thread/off.h"

bool off_is_none(const struct profile_off *sum);

/* The queue was changed: sets next_ticks. */
void off_set_next(struct off *off);
/* Puts an interval behind those that wait. False: no room. */
bool off_push(struct off *off, uint64_t begin_ticks, uint64_t end_ticks, enum off_kind kind);

/* The record of the open call at index. Null: no memory. */
struct off_frame *off_frame_at(struct off *off, uint32_t index);

#endif
