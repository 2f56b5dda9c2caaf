/* SPDX-License-Identifier: MIT
 *
 * Text, piece by piece, to wherever the caller puts it.
 */
#ifndef DWELL_CORE_PUT_H
#define DWELL_CORE_PUT_H

#include <stddef.h>
#include <stdint.h>

struct dwell_put {
	/* Takes bytes of text that end nowhere in particular. What cannot be written is the caller's to remember. */
	void (*put)(void *context, const char *text, size_t bytes);
	void *context;
};

/* Up to the first zero. */
void dwell_put_text(const struct dwell_put *put, const char *text);
/* One character count times. */
void dwell_put_repeat(const struct dwell_put *put, char c, size_t count);
/* In a field of at least width columns, at its right end. */
void dwell_put_right(const struct dwell_put *put, const char *text, size_t width);
void dwell_put_number(const struct dwell_put *put, uintptr_t number, size_t width);
/* Hundredths as 12.34. */
void dwell_put_hundredths(const struct dwell_put *put, uintptr_t hundredths, size_t width);
/* Hexadecimal, with leading zeros up to digits. */
void dwell_put_hex(const struct dwell_put *put, uintptr_t number, size_t digits);

/* The columns that a text takes: its bytes, those that continue a UTF-8 character left out. */
size_t dwell_put_columns(const char *text);

#endif
