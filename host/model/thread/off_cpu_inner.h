/* off_cpu_inner: functions for off_cpu.c (charging) and off_cpu_part.c (joining parts) only. */
#ifndef DWELL_HOST_MODEL_THREAD_OFF_CPU_INNER_H
#define DWELL_HOST_MODEL_THREAD_OFF_CPU_INNER_H

#include "model/thread/off_cpu.h"

bool off_cpu_is_none(const struct off_cpu_ticks *sum);

/* Sets next_ticks after a change of the queue. */
void off_cpu_set_next(struct off_cpu *off);
/* Appends an interval to the queue. False: no room. */
bool off_cpu_push(struct off_cpu *off, uint64_t begin_ticks, uint64_t end_ticks, enum off_cpu_kind kind);

/* The sums of the open call at index; makes zeroed sums for all calls up to index. Null: no memory. */
struct off_cpu_frame *off_cpu_frame_at(struct off_cpu *off, uint32_t index);

#endif
