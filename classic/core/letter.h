/* SPDX-License-Identifier: MIT
 *
 * Converts letters of names that a person types to lower case; ASCII only. */
#ifndef DWELL_CLASSIC_CORE_LETTER_H
#define DWELL_CLASSIC_CORE_LETTER_H

static inline char dwell_letter_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#endif
