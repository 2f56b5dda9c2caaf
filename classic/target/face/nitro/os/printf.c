/* SPDX-License-Identifier: MIT
 *
 * OS_Printf, for programs whose SDK has none. */
#include <stdarg.h>

#include "classic/target/face/nitro/face.h"

#define PIECE 64u

/* Buffered output (struct text), and the parts of a conversion (struct form). */
struct text {
	char piece[PIECE];
	uint32_t used;
};

struct form {
	bool left, zeros, plus, blank, prefix;
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

/* sign: at most two characters. zeros: leading zeros, in addition to padding. */
static void put_padded(struct text *text, const struct form *form, const char *sign, int zeros, const char *from, int length)
{
	int blanks = form->width - length - zeros;

	for (const char *at = sign; *at; at++)
		blanks--;
	if (!form->left && !form->zeros)
		pad(text, blanks, ' ');
	for (; *sign; sign++)
		put(text, *sign);
	if (!form->left && form->zeros)
		pad(text, blanks, '0');
	pad(text, zeros, '0');
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
	int at = (int)sizeof reversed, length;
	struct form with_precision = *form;

	if (form->precision >= 0)
		with_precision.zeros = false;
	while (number) {
		reversed[--at] = digits[number % base];
		number /= base;
	}
	length = (int)sizeof reversed - at;
	put_padded(text, &with_precision, sign,
		form->precision < 0	   ? !length
		: form->precision > length ? form->precision - length
					   : 0,
		reversed + at, length);
}

static void put_string(struct text *text, struct form *form, const char *string)
{
	int length = 0;

	if (!string)
		string = "(null)";
	while ((form->precision < 0 || length < form->precision) && string[length])
		length++;
	form->zeros = false;
	put_padded(text, form, "", 0, string, length);
}

/* bits: 8, 16; 0: an int; 32: a long; 64. */
static unsigned long long take_unsigned(va_list *arguments, int bits)
{
	unsigned number;

	if (bits >= 32)
		return bits == 64 ? va_arg(*arguments, unsigned long long) : va_arg(*arguments, unsigned long);
	number = va_arg(*arguments, unsigned);
	return bits ? number & ((1u << bits) - 1) : number;
}

static long long take_signed(va_list *arguments, int bits)
{
	int number;

	if (bits >= 32)
		return bits == 64 ? va_arg(*arguments, long long) : va_arg(*arguments, long);
	number = va_arg(*arguments, int);
	return bits == 8 ? (signed char)number : bits == 16 ? (short)number : number;
}

static bool take_flag(struct form *form, char flag)
{
	bool *const flags[] = {&form->left, &form->zeros, &form->plus, &form->blank, &form->prefix};

	for (int i = 0; i < 5; i++)
		if ("-0+ #"[i] == flag)
			return *flags[i] = true;
	return false;
}

/* Parses the length modifier of an argument; returns bits as above. */
static int take_length(const char **at)
{
	int bits = 0;

	for (; **at == 'l' || **at == 'h' || **at == 'z' || **at == 't' || **at == 'j'; (*at)++)
		bits = **at == 'h' ? (bits == 16 ? 8 : 16) : **at == 'j' || bits == 32 ? 64 : 32;
	return bits;
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

static int octal_digits(unsigned long long number)
{
	int digits = 0;

	for (; number; number /= 8)
		digits++;
	return digits;
}

/* Converts one argument; at: behind the per cent sign. Returns the position behind the conversion. */
static const char *convert(struct text *text, const char *at, va_list *arguments)
{
	struct form form; /* not initialised as a whole, because a program without a C library has no memset */
	const char *begin = at;
	unsigned long long any;
	long long number;
	char character;
	int bits;

	form.left = form.zeros = form.plus = form.blank = form.prefix = false;
	form.precision = -1;
	while (*at && take_flag(&form, *at))
		at++;
	form.width = take_count(&at, arguments);
	if (form.width < 0) {
		form.left = true;
		form.width = -form.width;
	}
	if (*at == '.') {
		at++;
		form.precision = take_count(&at, arguments);
	}
	bits = take_length(&at);
	switch (*at) {
	case 'd':
	case 'i':
		number = take_signed(arguments, bits);
		put_number(text, &form, number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number, 10, false,
			number < 0 ? "-" : form.plus ? "+" : form.blank ? " " : "");
		break;
	case 'u':
		put_number(text, &form, take_unsigned(arguments, bits), 10, false, "");
		break;
	case 'x':
	case 'X':
		any = take_unsigned(arguments, bits);
		put_number(text, &form, any, 16, *at == 'X', !form.prefix || !any ? "" : *at == 'X' ? "0X" : "0x");
		break;
	case 'o':
		any = take_unsigned(arguments, bits);
		if (form.prefix && form.precision >= 0 && form.precision <= octal_digits(any))
			form.precision = octal_digits(any) + 1;
		put_number(text, &form, any, 8, false, form.prefix && form.precision < 0 && any ? "0" : "");
		break;
	case 'p':
		form.zeros = true;
		form.width = FACE_DIGITS;
		put_number(text, &form, (uintptr_t)va_arg(*arguments, void *), 16, false, "");
		break;
	case 'c':
		character = (char)va_arg(*arguments, int);
		form.zeros = false;
		put_padded(text, &form, "", 0, &character, 1);
		break;
	case 's':
		put_string(text, &form, va_arg(*arguments, const char *));
		break;
	case '%':
		put(text, '%');
		break;
	default:
		/* The argument's type is unknown, so the position of the next arguments is, too: the rest is printed unchanged. */
		put(text, '%');
		while (*begin)
			put(text, *begin++);
		return begin;
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
