/* thread_timers: which of the timers of a thread it has a sample of.
 *
 * A timer begins with the thread, and what is left of its period when the thread ends is in no sample: half of one on average, or
 * a sixth of a thread that lives for three. So each sample stands for the half before it and the half behind it, and the first one
 * that a timer takes for what was before that, too: one and a half. */
#ifndef DWELL_HOST_SAMPLE_THREAD_TIMERS_H
#define DWELL_HOST_SAMPLE_THREAD_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero it before the first use, clear it after the last. */
struct thread_timers {
	uint64_t *bits;
	size_t capacity;
};

/* Whether a sample is the first one of this timer. timer: of perf_set.h; of PERF_TIMER_NONE nothing is known, and it is not. */
bool thread_timers_first(struct thread_timers *timers, uint32_t timer);
void thread_timers_clear(struct thread_timers *timers);

#endif
