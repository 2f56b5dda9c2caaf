/* SPDX-License-Identifier: MIT */
#include "classic/core/put.h"

#define DIGITS_MAX 24 /* the digits of a 64-bit number, a point, a zero byte */

void dwell_put_text(const struct dwell_put *put, const char *text)
{
	size_t bytes = 0;

	while (text[bytes])
		bytes++;
	put->put(put->context, text, bytes);
}

void dwell_put_repeat(const struct dwell_put *put, char c, size_t count)
{
	while (count--)
		put->put(put->context, &c, 1);
}

size_t dwell_put_columns(const char *text)
{
	size_t columns = 0;

	for (; *text; text++)
		columns += ((unsigned char)*text & 0xC0) != 0x80;
	return columns;
}

void dwell_put_right(const struct dwell_put *put, const char *text, size_t width)
{
	size_t columns = dwell_put_columns(text);

	if (columns < width)
		dwell_put_repeat(put, ' ', width - columns);
	dwell_put_text(put, text);
}

/* Writes a point before the last fraction digits. */
static void put_digits(const struct dwell_put *put, uintptr_t number, size_t base, size_t digits_min, size_t fraction, size_t width)
{
	char text[DIGITS_MAX];
	size_t at = sizeof text - 1, digits = 0;

	text[at] = 0;
	do {
		text[--at] = "0123456789abcdef"[number % base];
		number /= base;
		if (++digits == fraction)
			text[--at] = '.';
	} while (number || digits < digits_min);
	dwell_put_right(put, text + at, width);
}

void dwell_put_number(const struct dwell_put *put, uintptr_t number, size_t width)
{
	put_digits(put, number, 10, 1, 0, width);
}

void dwell_put_hundredths(const struct dwell_put *put, uintptr_t hundredths, size_t width)
{
	put_digits(put, hundredths, 10, 3, 2, width);
}

void dwell_put_hex(const struct dwell_put *put, uintptr_t number, size_t digits)
{
	put_digits(put, number, 16, digits > 16 ? 16 : digits, 0, 0);
}
