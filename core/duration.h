/* SPDX-License-Identifier: MIT
 *
 * In which bucket of a histogram a duration is: 32 to an octave, so that a percentile is within 1.6 % of the true value (3 % is promised),
 * and exact below 64. Part of the trace format (SUMS).
 *
 * The first two octaves, numbers 0 and 1, have buckets of one value: 0…31 and 32…63. */
#ifndef DWELL_CORE_DURATION_H
#define DWELL_CORE_DURATION_H

#include <stdint.h>

#define DWELL_DURATION_STEPS 32u   /* buckets of an octave */
#define DWELL_DURATION_OCTAVES 60u /* of 64-bit values */
#define DWELL_DURATION_BUCKETS (DWELL_DURATION_OCTAVES * DWELL_DURATION_STEPS)

/* octave × DWELL_DURATION_STEPS + step.
 * Context: any; no branch: in the first two octaves there is nothing to shift, and the first has no leading bit to leave away. */
static inline uint32_t dwell_duration_bucket(uint64_t ticks)
{
	uint32_t shift = (63u ^ (uint32_t)__builtin_clzll(ticks | DWELL_DURATION_STEPS)) - 5u;

	return shift * DWELL_DURATION_STEPS + (uint32_t)(ticks >> shift);
}

#endif
