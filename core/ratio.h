/* SPDX-License-Identifier: MIT
 *
 * Shares of counts without floating point, without 64-bit division: for processors that have neither, in a report that is written
 * once. Words are as wide as a pointer; no product overflows, whatever the values.
 */
#ifndef DWELL_CORE_RATIO_H
#define DWELL_CORE_RATIO_H

#include <stdint.h>

/* a × b ÷ c, cut. What does not fit into a word, and a division by 0, is UINTPTR_MAX.
 * Context: not for interrupts; some 20 instructions for each bit of a word. */
uintptr_t dwell_ratio_cut(uintptr_t a, uintptr_t b, uintptr_t c);

/* The same, rounded to the nearest, halves up. */
uintptr_t dwell_ratio_round(uintptr_t a, uintptr_t b, uintptr_t c);

/* The largest number whose square is not above a. */
uintptr_t dwell_ratio_root(uintptr_t a);

/* What hits of all, independent of each other, say about the true share: with 95 % certainty it is from low to high (Wilson's
 * interval), in hundredths of a percent. Rounded outwards, by at most two of them and three hundredths of a hit. pre: hits <= all,
 * all > 0. */
void dwell_ratio_interval(uintptr_t hits, uintptr_t all, uintptr_t *low, uintptr_t *high);

#endif
