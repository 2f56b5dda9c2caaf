/* sampled_timers: notes which of the kernel's timers have given a sample.
 *
 * A timer begins with a thread, at a full period. When the thread ends, no sample covers the rest of the period: on average half a
 * period, or a sixth of the time of a thread with a life of three periods. So each sample stands for the half period before and the
 * half period behind. The first sample of a timer also stands for another half period before: its weight is one and a half periods.
 *
 * A timer does not stay with a thread: when the kernel switches between two threads with events inherited from the same thread, the
 * kernel exchanges the events instead of stopping and starting both. So dwell identifies a timer by the kernel's number, and not by
 * the sampled thread. */
#ifndef DWELL_HOST_SAMPLE_SAMPLED_TIMERS_H
#define DWELL_HOST_SAMPLE_SAMPLED_TIMERS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/sink/address_set.h"

/* dwell forgets a timer when at least so many other timers have given samples since the timer's last sample. Most likely the timer
 * has ended; the kernel does not report the end. */
#define SAMPLED_TIMERS_KEPT (1u << 16)

/* Zero it before the first use, clear it after the last. */
struct sampled_timers {
	struct address_set newer, older; /* the newest timers, at most SAMPLED_TIMERS_KEPT; so many timers in front of these */
};

/* Notes a sample of the timer. Returns whether it is the timer's first. False also for PERF_TIMER_NONE (perf_record.h), and if
 * there is no memory. */
bool sampled_timers_is_first(struct sampled_timers *timers, uint64_t timer);
void sampled_timers_clear(struct sampled_timers *timers);

#endif
