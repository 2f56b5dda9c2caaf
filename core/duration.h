/* SPDX-License-Identifier: MIT
 *
 * Numbers of histogram buckets: which bucket counts a call of this duration. An octave (values from 2^n to 2^(n+1)) has 32 buckets,
 * so a percentile is within 1.6 % of the true value (dwell promises 3 %), and exact below 64. Part of the trace format (SUMS).
 *
 * The first two octaves, numbers 0 and 1, have buckets of one value: 0…31 and 32…63. */
#ifndef DWELL_CORE_DURATION_H
#define DWELL_CORE_DURATION_H

#include <stdint.h>

#define DWELL_DURATION_STEPS 32u   /* buckets per octave */
#define DWELL_DURATION_OCTAVES 60u /* octaves of 64-bit values */
#define DWELL_DURATION_BUCKETS (DWELL_DURATION_OCTAVES * DWELL_DURATION_STEPS)

/* Returns octave × DWELL_DURATION_STEPS + step.
 * Context: any. There is no branch: in the first two octaves the
 * shift is 0, and values of the first have no leading bit to drop. */
static inline uint32_t dwell_duration_bucket(uint64_t ticks)
{
	uint32_t shift = (63u ^ (uint32_t)__builtin_clzll(ticks | DWELL_DURATION_STEPS)) - 5u;

	return shift * DWELL_DURATION_STEPS + (uint32_t)(ticks >> shift);
}

#endif
