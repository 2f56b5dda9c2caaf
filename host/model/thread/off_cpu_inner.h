/* off_cpu_inner: functions for off_cpu.c (charging), off_cpu_queue.c and off_cpu_part.c (joining parts) only. */
#ifndef DWELL_HOST_MODEL_THREAD_OFF_CPU_INNER_H
#define DWELL_HOST_MODEL_THREAD_OFF_CPU_INNER_H

#include "model/thread/off_cpu.h"

bool off_cpu_is_none(const struct off_cpu_ticks *sum);

/* ---- off_cpu_queue.c ---- */

/* Sets next_ticks after a change of the queues. */
void off_cpu_set_next(struct off_cpu *off);
/* Appends an interval to the queue. False: no room. */
bool off_cpu_push(struct off_cpu *off, uint64_t begin_ticks, uint64_t end_ticks, enum off_cpu_kind kind);

/* Moves the queue of page faults of other to off. */
void off_cpu_hand_over_faults(struct off_cpu *off, struct off_cpu *other);
/* Whether the thread's page faults from ticks on are the first of those with which the part began. */
bool off_cpu_faults_agree(const struct off_cpu *off, const struct off_cpu *part, uint64_t ticks);
/* The part's queue continues the thread's. False: no room. */
bool off_cpu_join_faults(struct off_cpu *off, const struct off_cpu *part);

/* ---- off_cpu.c ---- */

/* The sums of the open call at index; makes zeroed sums for all calls up to index. Null: no memory. */
struct off_cpu_frame *off_cpu_frame_at(struct off_cpu *off, uint32_t index);

#endif
