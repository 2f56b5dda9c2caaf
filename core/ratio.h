/* SPDX-License-Identifier: MIT
 *
 * Shares of counts without floating point or 64-bit division: for processors that have neither. A profiled board uses this for the
 * report that it prints itself (classic/core), and the host for the interval of a share.
 * Words are as wide as a pointer; no product overflows, whatever the values.
 */
#ifndef DWELL_CORE_RATIO_H
#define DWELL_CORE_RATIO_H

#include <stdint.h>

/* Returns a × b ÷ c, truncated; UINTPTR_MAX if the result does not fit into a word or c is 0.
 * Context: not for interrupts; some 20 instructions for each bit of a word. */
uintptr_t dwell_ratio_truncate(uintptr_t a, uintptr_t b, uintptr_t c);

/* The same, rounded to the nearest, halves up. */
uintptr_t dwell_ratio_round(uintptr_t a, uintptr_t b, uintptr_t c);

/* Returns the largest number whose square is at most a. */
uintptr_t dwell_ratio_root(uintptr_t a);

/* Returns the 95 % confidence interval (Wilson's) of the true share, given hits out of all independent trials, in hundredths of a
 * percent. Rounded outwards, by at most two of these units and three hundredths of a hit. pre: hits <= all, all > 0. */
void dwell_ratio_interval(uintptr_t hits, uintptr_t all, uintptr_t *low, uintptr_t *high);

#endif
