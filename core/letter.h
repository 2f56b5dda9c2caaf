/* SPDX-License-Identifier: MIT
 *
 * Letters of names that people type; ASCII only. */
#ifndef DWELL_CORE_LETTER_H
#define DWELL_CORE_LETTER_H

static inline char dwell_letter_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#endif
