#include "reader/ti/ccs_number.h"

#define WORD_DIGITS 8u /* of hex */

static int digit_of(uint8_t c, uint32_t base)
{
	int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : 16;

	return digit < (int)base ? digit : -1;
}

bool ccs_number_has_prefix(const uint8_t *text, size_t length)
{
	return length > 2 && text[0] == '0' && (text[1] | 32) == 'x';
}

/* False: none of so many bits. */
static bool parse_digits(const uint8_t *text, size_t length, uint32_t base, uint64_t *sum)
{
	*sum = 0;
	for (size_t at = 0; at < length; at++) {
		int digit = digit_of(text[at], base);

		if (digit < 0)
			return false;
		*sum = *sum * base + (uint32_t)digit;
		if (*sum > UINT32_MAX)
			return false;
	}
	return length;
}

/* As they are of in hex, when a machine with bytes, half words and words wrote them. */
static uint32_t digits_of(uint64_t sum, bool is_negative)
{
	return sum < (is_negative ? 129 : 256) ? 2 : sum < (is_negative ? 32769 : 65536) ? 4 : 8;
}

static bool has_letter(const uint8_t *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (digit_of(text[i], 10) < 0 && digit_of(text[i], 16) >= 0)
			return true;
	return false;
}

static bool parse_decimal(const uint8_t *text, size_t length, uint32_t *value, uint32_t *digits)
{
	bool is_negative = length && *text == '-';
	uint64_t sum;

	if (!parse_digits(text + is_negative, length - is_negative, 10, &sum) || (is_negative && sum > UINT64_C(1) << 31))
		return false;
	*value = is_negative ? (uint32_t)-sum : (uint32_t)sum;
	*digits = digits_of(sum, is_negative);
	return true;
}

static bool parse_hex(const uint8_t *text, size_t length, uint32_t *value, uint32_t *digits)
{
	uint64_t sum;

	if (!parse_digits(text, length, 16, &sum))
		return false;
	*value = (uint32_t)sum;
	*digits = (uint32_t)length;
	return true;
}

bool ccs_number_parse(const uint8_t *text, size_t length, enum ccs_base *base, uint32_t *value, uint32_t *digits)
{
	bool good;

	if (ccs_number_has_prefix(text, length)) {
		good = parse_hex(text + 2, length - 2, value, digits);
		if (good && *base == CCS_BASE_OPEN)
			*base = CCS_BASE_HEX;
		return good;
	}
	if (*base == CCS_BASE_DECIMAL)
		return parse_decimal(text, length, value, digits);
	if (*base == CCS_BASE_OPEN && length && (*text == '-' || (length > WORD_DIGITS && *text != '0'))) {
		good = parse_decimal(text, length, value, digits);
		if (good)
			*base = CCS_BASE_DECIMAL;
		return good;
	}
	good = parse_hex(text, length, value, digits);
	if (good && *base == CCS_BASE_OPEN && ((length > 1 && *text == '0') || has_letter(text, length)))
		*base = CCS_BASE_HEX;
	return good;
}

uint32_t ccs_number_as_decimal(uint32_t value, uint32_t *digits)
{
	uint32_t sum = 0;

	for (uint32_t shift = 32; shift; shift -= 4)
		sum = sum * 10 + (value >> (shift - 4) & 15);
	*digits = digits_of(sum, false);
	return sum;
}
