/* off_times: when threads were off the CPU, and why, for a picture of their states: each time of its own while there are few; of many, the
 * short ones of a slice of time added up.
 *
 * Slices are powers of two of ticks, as short as OFF_TIMES_MAX allows. How long they are depends on the times alone, not on the order in
 * which they come: those of parts add up to those of the whole. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_OFF_TIMES_H
#define DWELL_HOST_ANALYSIS_CALLS_OFF_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

#define OFF_TIMES_MAX (1u << 16)

/* From begin to end a thread was so long off the CPU, by kind; if that is less than all, it ran in between. */
struct off_time {
	uint64_t begin_ticks, end_ticks;
	uint64_t ticks[OFF_UNKNOWN + 1]; /* by enum off_kind */
	uint32_t stream;
};

/* Zeroed: empty. */
struct off_times {
	struct off_time *times; /* in no order */
	size_t count, capacity;
	size_t due;      /* when there are as many they are added up; 0: OFF_TIMES_MAX twice */
	uint32_t shift;  /* shorter ones than 1 << shift ticks are added up; 0: none */
	bool has_failed; /* there was no memory: some are missing */
};

void off_times_add(struct off_times *times, uint32_t stream, uint64_t begin_ticks, uint64_t end_ticks, enum off_kind kind);
/* Adds those of from, which is empty then and keeps its memory. */
void off_times_merge(struct off_times *into, struct off_times *take_from);
/* No more come. By stream, then by time; what is one time, told in pieces, is one again. */
void off_times_finish(struct off_times *times);
/* Keeps its memory. */
void off_times_empty(struct off_times *times);
void off_times_clear(struct off_times *times);

#endif
