/* SPDX-License-Identifier: MIT
 *
 * When the next sampling interrupt comes: a register of 32 bits with linear feedback says how much later than the shortest period.
 *
 * Periods are spread evenly over base … base + 2^bits − 1, whose middle is the mean. The spread is as wide as a power of two below twice
 * the mean allows, 50 to 100 % of it to either side: phases of a program that is in step with the mean correlate from one sample to the
 * next by sin(x) / x, x = 2π × the spread, which is next to nothing from 50 % on. Shorter periods than the least are not made. */
#ifndef DWELL_RECORDER_HISTOGRAM_JITTER_H
#define DWELL_RECORDER_HISTOGRAM_JITTER_H

#include <stdbool.h>
#include <stdint.h>

struct histogram_jitter {
	uint32_t state; /* never 0 */
	uint32_t base;  /* the shortest period */
	uint32_t mask;  /* 2^bits − 1, or 0 */
};

/* mean, least: in whatever the timer counts. fixed: each period is the mean. Context: no sampling interrupt comes. */
void dwell_histogram_jitter(struct histogram_jitter *jitter, uint32_t mean, uint32_t least, bool fixed);

/* The next period. Context: the sampling interrupt; 12 instructions on MIPS III. */
static inline uint32_t dwell_histogram_period(struct histogram_jitter *jitter)
{
	uint32_t state = jitter->state;

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	jitter->state = state;
	return jitter->base + (state & jitter->mask);
}

/* When the next sample is due, behind one that was due and came later, as each does: a period from when that was due, so that lateness
 * does not add up. Where that has passed already, a period from now: what is late by whole periods is one sample, not many at the same
 * place. All in what the timer counts. Context: the sampling interrupt. */
static inline uint64_t dwell_histogram_due(uint64_t due, uint32_t period, uint64_t now)
{
	return due + period > now ? due + period : now + period;
}

#endif
