/* SPDX-License-Identifier: MIT
 *
 * Jitter: decides when the next sampling interrupt comes. A linear-feedback shift
 * register of 32 bits yields how much longer a period is than the shortest one.
 *
 * Periods are spread evenly over base … base + 2^bits − 1, whose middle is the mean. The spread is the widest power of two below
 * twice the mean: 50 to 100 % of the mean to either side. If the program is in step with the mean period, consecutive samples
 * correlate by sin(x) / x, x = 2π × the spread, which is next to nothing from 50 % on. No period is shorter than the least. */
#ifndef DWELL_CLASSIC_RECORDER_HISTOGRAM_JITTER_H
#define DWELL_CLASSIC_RECORDER_HISTOGRAM_JITTER_H

#include <stdbool.h>
#include <stdint.h>

struct histogram_jitter {
	uint32_t state; /* never 0 */
	uint32_t base;  /* the shortest period */
	uint32_t mask;  /* 2^bits − 1, or 0 */
};

/* mean, least: in the timer's unit. fixed: each period is the mean. Context: no sampling interrupt comes. */
void dwell_histogram_jitter(struct histogram_jitter *jitter, uint32_t mean, uint32_t least, bool fixed);

/* What remains when sampling stops. */
struct histogram_pause {
	uint32_t left; /* of the period; 0: nothing. Written by whoever stops the timer */
	uint32_t mean; /* of the periods */
	bool fixed;
};

/* Begins or resumes sampling: dwell_histogram_jitter(), and returns when the first interrupt comes. With the same mean and kind of
 * periods as before, that is what was left of the period when sampling stopped. So a program that samples short parts of a
 * frame gets as many samples as their sum has periods, and each place in a part gets its share. */
uint32_t dwell_histogram_resume(
	struct histogram_jitter *jitter, struct histogram_pause *pause, uint32_t mean, uint32_t least, bool fixed);

/* Returns the next period. Context: the sampling interrupt; 12 instructions on MIPS III. */
static inline uint32_t dwell_histogram_period(struct histogram_jitter *jitter)
{
	uint32_t state = jitter->state;

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	jitter->state = state;
	return jitter->base + (state & jitter->mask);
}

/* Returns when the next sample is due. The period counts from when the last sample was due, not from when its
 * interrupt came, so delays do not add up. If that time has passed already, the period counts from now: a delay of
 * whole periods yields one sample, not many at one place. All in the timer's unit. Context: the sampling interrupt. */
static inline uint64_t dwell_histogram_due(uint64_t due, uint64_t period, uint64_t now)
{
	return due + period > now ? due + period : now + period;
}

#endif
