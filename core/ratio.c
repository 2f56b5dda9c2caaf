/* SPDX-License-Identifier: MIT
 *
 * Ratios of integers in single words (ratio.h).
 */
#include "core/ratio.h"

#include <stdbool.h>
#include <stddef.h>

#define WORD_BITS (8 * sizeof(uintptr_t))

/* Returns a × b ÷ c and its remainder *rest; UINTPTR_MAX if the quotient does not fit, or c is 0. By hand, bit by bit: 64-bit
 * products and quotients are calls of a run-time library, which on some machines is built for a larger processor. */
static uintptr_t divide(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t *rest)
{
	uintptr_t high = 0, low = 0, remainder = 0, quotient = 0;
	bool too_large = false;

	for (size_t bit = WORD_BITS; bit--;) { /* high:low = a × b */
		high = high << 1 | low >> (WORD_BITS - 1);
		low <<= 1;
		if (a >> bit & 1) {
			low += b;
			high += low < b;
		}
	}
	for (size_t bit = 2 * WORD_BITS; bit--;) {
		bool carry = remainder >> (WORD_BITS - 1);

		remainder = remainder << 1 | (bit >= WORD_BITS ? high >> (bit - WORD_BITS) & 1 : low >> bit & 1);
		if (quotient >> (WORD_BITS - 1))
			too_large = true;
		quotient <<= 1;
		if (carry || remainder >= c) {
			remainder -= c;
			quotient |= 1;
		}
	}
	*rest = remainder;
	return too_large || !c ? UINTPTR_MAX : quotient;
}

uintptr_t dwell_ratio_truncate(uintptr_t a, uintptr_t b, uintptr_t c)
{
	uintptr_t rest;

	return divide(a, b, c, &rest);
}

uintptr_t dwell_ratio_round(uintptr_t a, uintptr_t b, uintptr_t c)
{
	uintptr_t rest, quotient = divide(a, b, c, &rest);

	return quotient != UINTPTR_MAX && rest >= c - rest ? quotient + 1 : quotient;
}

uintptr_t dwell_ratio_root(uintptr_t a)
{
	uintptr_t root = 0;

	for (uintptr_t bit = (uintptr_t)1 << (WORD_BITS / 2 - 1); bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= a)
			root |= bit;
	return root;
}

/* With z = 1.96 and n hits k:  (k + z²/2 ± z √(k (n − k) / n + z²/4)) / (n + z²).  All values are in units of 1/UNIT. The argument
 * of the root is scaled up as far as it fits, before the root is taken. */
void dwell_ratio_interval(uintptr_t hits, uintptr_t all, uintptr_t *low, uintptr_t *high)
{
	enum { UNIT = 100, SQUARE = 384, HALF_SQUARE = 192, QUARTER_SQUARE = 96 }; /* z² = 3.84 */
	uintptr_t fewer = hits < all - hits ? hits : all - hits, unit = UNIT, variance, root, middle, all_units, deviation, above;

	while (unit > 1 && all > UINTPTR_MAX / 8 / unit) /* such large counts need no fractions */
		unit /= 10;
	variance = dwell_ratio_truncate(fewer, all - fewer, all); /* of the count: between half of fewer and all / 4 */
	if (variance < UINTPTR_MAX / 16 / UNIT / UNIT) {
		variance = dwell_ratio_round(fewer * UNIT, all - fewer, all);
		root = dwell_ratio_root((variance + QUARTER_SQUARE) * UNIT) * unit / UNIT + 1;
	} else {
		root = (dwell_ratio_root(variance) + 1) * unit;
	}
	deviation = dwell_ratio_truncate(root, 196, 100) + 1;
	middle = hits * unit + HALF_SQUARE * unit / UNIT;
	all_units = all * unit + SQUARE * unit / UNIT;
	*low = middle > deviation ? dwell_ratio_truncate(middle - deviation, 10000, all_units) : 0;
	above = dwell_ratio_truncate(middle + deviation, 10000, all_units) + 1;
	*high = above > 10000 ? 10000 : above;
	if (!hits)
		*low = 0;
	if (hits == all)
		*high = 10000;
}
