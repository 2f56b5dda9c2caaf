/* SPDX-License-Identifier: MIT
 *
 * OS_Printf, for who has no other. */
#include <stdarg.h>

#include "face/nitro/face.h"

#define PIECE 64u

/* What waits to be put; and one conversion. */
struct text {
	char piece[PIECE];
	uint32_t used;
};

struct form {
	bool left, zeros;
	int width, precision;
};

static void flush(struct text *text)
{
	if (text->used)
		nitro_port_put(text->piece, text->used);
	text->used = 0;
}

static void put(struct text *text, char character)
{
	text->piece[text->used++] = character;
	if (text->used == PIECE)
		flush(text);
}

static void pad(struct text *text, int count, char with)
{
	for (; count > 0; count--)
		put(text, with);
}

static void put_padded(struct text *text, const struct form *form, const char *sign, const char *from, int length)
{
	int blanks = form->width - length - (*sign != 0);

	if (!form->left && !form->zeros)
		pad(text, blanks, ' ');
	if (*sign)
		put(text, *sign);
	if (!form->left && form->zeros)
		pad(text, blanks, '0');
	for (int i = 0; i < length; i++)
		put(text, from[i]);
	if (form->left)
		pad(text, blanks, ' ');
}

static void put_number(
	struct text *text, const struct form *form, unsigned long long number, unsigned base, bool capital, const char *sign)
{
	const char *digits = capital ? "0123456789ABCDEF" : "0123456789abcdef";
	char reversed[24];
	int at = (int)sizeof reversed;

	do {
		reversed[--at] = digits[number % base];
		number /= base;
	} while (number);
	put_padded(text, form, sign, reversed + at, (int)sizeof reversed - at);
}

static void put_string(struct text *text, struct form *form, const char *string)
{
	int length = 0;

	if (!string)
		string = "(null)";
	while ((form->precision < 0 || length < form->precision) && string[length])
		length++;
	form->zeros = false;
	put_padded(text, form, "", string, length);
}

static unsigned long long take_unsigned(va_list *arguments, int longs)
{
	return longs > 1 ? va_arg(*arguments, unsigned long long)
	       : longs	 ? va_arg(*arguments, unsigned long)
			 : va_arg(*arguments, unsigned);
}

static long long take_signed(va_list *arguments, int longs)
{
	return longs > 1 ? va_arg(*arguments, long long) : longs ? va_arg(*arguments, long) : va_arg(*arguments, int);
}

static int take_count(const char **at, va_list *arguments)
{
	int count = 0;

	if (**at == '*') {
		(*at)++;
		return va_arg(*arguments, int);
	}
	for (; **at >= '0' && **at <= '9'; (*at)++)
		count = count < 1000 ? count * 10 + (**at - '0') : count;
	return count;
}

/* From behind the per cent sign; returns what comes behind the conversion. */
static const char *convert(struct text *text, const char *at, va_list *arguments)
{
	struct form form = {false, false, 0, -1};
	int longs = 0;
	long long number;
	char character;

	for (; *at == '-' || *at == '0'; at++)
		*(*at == '-' ? &form.left : &form.zeros) = true;
	form.width = take_count(&at, arguments);
	if (*at == '.') {
		at++;
		form.precision = take_count(&at, arguments);
	}
	for (; *at == 'l' || *at == 'h'; at++)
		longs += *at == 'l';
	switch (*at) {
	case 'd':
	case 'i':
		number = take_signed(arguments, longs);
		put_number(text, &form, number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number, 10, false,
			number < 0 ? "-" : "");
		break;
	case 'u':
		put_number(text, &form, take_unsigned(arguments, longs), 10, false, "");
		break;
	case 'x':
	case 'X':
		put_number(text, &form, take_unsigned(arguments, longs), 16, *at == 'X', "");
		break;
	case 'p':
		form.zeros = true;
		form.width = FACE_DIGITS;
		put_number(text, &form, (uintptr_t)va_arg(*arguments, void *), 16, false, "");
		break;
	case 'c':
		character = (char)va_arg(*arguments, int);
		form.zeros = false;
		put_padded(text, &form, "", &character, 1);
		break;
	case 's':
		put_string(text, &form, va_arg(*arguments, const char *));
		break;
	case 0:
		return at;
	default:
		put(text, *at);
	}
	return at + 1;
}

void OS_Printf(const char *format, ...)
{
	struct text text;
	va_list arguments;

	text.used = 0;
	va_start(arguments, format);
	while (*format) {
		if (*format == '%')
			format = convert(&text, format + 1, &arguments);
		else
			put(&text, *format++);
	}
	va_end(arguments);
	flush(&text);
}
