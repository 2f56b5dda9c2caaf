/* off_cpu_times: when threads were off the CPU, and why, for the row of thread states in the page (dwell html). Keeps a moderate
 * number of intervals as they are. Of too many, adds up the short ones by slices of time.
 *
 * The length of a slice is a power of two of ticks, as short as possible with OFF_CPU_TIMES_MAX kept intervals. It depends on the
 * intervals alone, not on their order. So the intervals of a trace's parts, added up, are the intervals of the whole trace. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_OFF_CPU_TIMES_H
#define DWELL_HOST_ANALYSIS_CALLS_OFF_CPU_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

#define OFF_CPU_TIMES_MAX (1u << 16)

/* An interval of a thread off the CPU, or the sum of several: the time off the CPU between begin and end, by kind. If the sum is
 * less than end − begin, the thread ran in between. */
struct off_cpu_slice {
	uint64_t begin_ticks, end_ticks;
	uint64_t ticks[OFF_CPU_UNKNOWN + 1]; /* index: enum off_cpu_kind */
	uint32_t stream;
};

/* Zeroed: empty. */
struct off_cpu_times {
	struct off_cpu_slice *times; /* unsorted */
	size_t count, capacity;
	size_t due;      /* at this count, off_cpu_times_add next adds intervals up; 0: at 2 × OFF_CPU_TIMES_MAX */
	uint32_t shift;  /* slices are 1 << shift ticks long; shorter intervals are added up, by stream and slice; 0: none */
	bool has_failed; /* memory ran out: some intervals are missing */
};

void off_cpu_times_add(
	struct off_cpu_times *times, uint32_t stream, uint64_t begin_ticks, uint64_t end_ticks, enum off_cpu_kind kind);
/* Adds all intervals of take_from, which is empty afterwards and keeps its memory. */
void off_cpu_times_merge(struct off_cpu_times *into, struct off_cpu_times *take_from);
/* No more intervals follow. Sorts by stream, then by time, and joins the pieces of an interval that the model cut at events. */
void off_cpu_times_finish(struct off_cpu_times *times);
/* Removes all intervals and keeps the memory. */
void off_cpu_times_empty(struct off_cpu_times *times);
void off_cpu_times_clear(struct off_cpu_times *times);

#endif
