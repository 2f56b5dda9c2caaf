/* seen_timers: which of the kernel's timers have given a sample.
 *
 * A timer begins with a thread, at a full period, and what is left of its period when it ends is in no sample: half of one on average,
 * or a sixth of a thread that lives for three. So each sample stands for the half before it and the half behind it, and the first one
 * of a timer for what was before that, too: one and a half.
 *
 * A timer is not a thread's: when the kernel switches between two threads that inherited their events from the same one, it exchanges
 * the events instead of stopping and starting them. So timers are told apart by the kernel's own number, whichever thread they sample. */
#ifndef DWELL_HOST_SAMPLE_SEEN_TIMERS_H
#define DWELL_HOST_SAMPLE_SEEN_TIMERS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/sink/address_set.h"

/* A timer is forgotten when it has no sample among those of so many others. It has most likely ended: the kernel does not say when. */
#define SEEN_TIMERS_KEPT (1u << 16)

/* Zero it before the first use, clear it after the last. */
struct seen_timers {
	struct address_set lately, before;
};

/* Whether this is the first sample of the timer. Of PERF_TIMER_NONE (perf_set.h) nothing is known, and it is not. */
bool seen_timers_is_first(struct seen_timers *timers, uint64_t timer);
void seen_timers_clear(struct seen_timers *timers);

#endif
