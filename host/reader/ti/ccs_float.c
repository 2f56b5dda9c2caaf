#include "reader/ti/ccs_float.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TEXT_BYTES_MAX 64u
#define DIGITS_FULL 9u /* tell all floats apart */

/* As text has it: digits, a point, digits, an exponent. */
struct decimal {
	size_t digits; /* from the first that is not 0 on */
	size_t behind; /* the point */
	bool has_exponent, is_zero;
	long exponent;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool read_decimal(const char *text, struct decimal *decimal)
{
	bool is_behind = false, any = false;

	*decimal = (struct decimal){.is_zero = true};
	text += *text == '-' || *text == '+';
	for (; is_digit(*text) || (*text == '.' && !is_behind); text++) {
		is_behind |= *text == '.';
		if (*text == '.')
			continue;
		any = true;
		decimal->is_zero &= *text == '0';
		decimal->digits += !decimal->is_zero;
		decimal->behind += is_behind;
	}
	if (any && (*text | 32) == 'e') {
		decimal->has_exponent = true;
		text++;
		if (!is_digit(text[*text == '-' || *text == '+']))
			return false;
		decimal->exponent = strtol(text, (char **)&text, 10);
	}
	return any && !*text && labs(decimal->exponent) < 1000;
}

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* Whether another float lies as near to what is written as half of its last digit. */
static bool has_company(double written, float nearest, const struct decimal *decimal)
{
	double half = 0.5 * pow(10, (double)(decimal->exponent - (long)decimal->behind));

	return fabs((double)nextafterf(nearest, INFINITY) - written) <= half ||
	       fabs((double)nextafterf(nearest, -INFINITY) - written) <= half;
}

/* "nan", "-1.#IND", "1.#QNAN", "inf", "-1.#INF" */
static enum ccs_float_kind parse_word(const char *text, uint32_t *bits)
{
	static const char *const nans[] = {"nan", "qnan", "snan", "ind"};
	bool is_negative = *text == '-';

	text += *text == '-' || *text == '+';
	text += strncmp(text, "1.#", 3) ? 0 : 3;
	if (!strncasecmp(text, "inf", 3)) {
		*bits = is_negative ? 0xff800000 : 0x7f800000;
		return CCS_FLOAT_SURE;
	}
	*bits = UINT32_MAX;
	for (size_t i = 0; i < sizeof nans / sizeof *nans; i++)
		if (!strncasecmp(text, nans[i], strlen(nans[i])))
			return CCS_FLOAT_NAN;
	return CCS_FLOAT_NONE;
}

enum ccs_float_kind ccs_float_parse(const uint8_t *bytes, size_t length, uint32_t *bits, bool *is_full)
{
	char text[TEXT_BYTES_MAX + 1];
	struct decimal decimal;
	float nearest;

	*bits = 0;
	if (!length || length > TEXT_BYTES_MAX)
		return CCS_FLOAT_NONE;
	memcpy(text, bytes, length);
	text[length] = 0;
	if (!read_decimal(text, &decimal))
		return parse_word(text, bits);
	nearest = strtof(text, NULL);
	*bits = bits_of(nearest);
	if (decimal.is_zero)
		return decimal.has_exponent || decimal.behind <= 1 ? CCS_FLOAT_SURE : CCS_FLOAT_VAGUE;
	if (!isfinite(nearest))
		return CCS_FLOAT_NONE;
	*is_full |= decimal.has_exponent && decimal.digits >= DIGITS_FULL;
	return !has_company(strtod(text, NULL), nearest, &decimal) ? CCS_FLOAT_SURE : CCS_FLOAT_NEAR;
}
