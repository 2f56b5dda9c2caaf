/* SPDX-License-Identifier: MIT
 *
 * Writes text piece by piece through a callback of the caller.
 */
#ifndef DWELL_CLASSIC_CORE_PUT_H
#define DWELL_CLASSIC_CORE_PUT_H

#include <stddef.h>
#include <stdint.h>

struct dwell_put {
	/* Takes bytes of text, not ended by a zero. If a write fails, the
	 * callback must record the failure: dwell_put_* report no errors. */
	void (*put)(void *context, const char *text, size_t bytes);
	void *context;
};

/* Writes text up to its first zero byte. */
void dwell_put_text(const struct dwell_put *put, const char *text);
/* Writes one character count times. */
void dwell_put_repeat(const struct dwell_put *put, char c, size_t count);
/* Writes text right-aligned in a field of at least width columns. */
void dwell_put_right(const struct dwell_put *put, const char *text, size_t width);
void dwell_put_number(const struct dwell_put *put, uintptr_t number, size_t width);
/* Writes hundredths as 12.34. */
void dwell_put_hundredths(const struct dwell_put *put, uintptr_t hundredths, size_t width);
/* Writes a hexadecimal number, with leading zeros up to digits. */
void dwell_put_hex(const struct dwell_put *put, uintptr_t number, size_t digits);

/* Returns the columns that a text takes: its bytes without UTF-8 continuation bytes. */
size_t dwell_put_columns(const char *text);

#endif
