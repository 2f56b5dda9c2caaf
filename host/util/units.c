/* units: formats and reads numbers with units (units.h). */
#include "util/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit_step {
	const char *name;
	uint64_t one; /* its size in the smallest unit */
	uint64_t from; /* the unit is used from this value on (after rounding) */
};

/* Returns value ÷ one with `decimals` digits after the point, rounded half up. one ≤ 10^18, decimals ≤ 3. */
static uint64_t scale(uint64_t value, uint64_t one, unsigned decimals)
{
	uint64_t whole = value / one, rest = value % one, scaled = 0;

	for (unsigned i = 0; i < decimals; i++) { /* long division: rest × 10 cannot overflow, but value × 1000 could */
		rest *= 10;
		scaled = scaled * 10 + rest / one;
		rest %= one;
	}
	for (unsigned i = 0; i < decimals; i++)
		whole *= 10;
	return whole + scaled + (rest >= one - rest);
}

static const uint64_t ten_to[] = {1, 10, 100, 1000};

/* Writes scaled ÷ 10^decimals, and the unit. A listing of calls has
 * three of these in a row, and printf would take most of its time. */
static void write_scaled(char *text, uint64_t scaled, unsigned decimals, const char *unit)
{
	char *out = text + units_write_decimal(text, scaled / ten_to[decimals]);

	if (decimals)
		*out++ = '.';
	for (scaled %= ten_to[decimals]; decimals--; scaled %= ten_to[decimals])
		*out++ = (char)('0' + scaled / ten_to[decimals]);
	if (*unit)
		*out++ = ' ';
	strcpy(out, unit);
}

/* Writes value with four digits in the unit of step. Returns 0, and writes nothing, if the
 * rounded value reaches limit, in this unit: then the next unit applies. */
static int write_step(char *text, uint64_t value, const struct unit_step *step, uint64_t limit)
{
	for (unsigned decimals = 3; decimals; decimals--) {
		uint64_t scaled;

		if (value / step->one >= ten_to[4 - decimals])
			continue;
		scaled = scale(value, step->one, decimals);
		if (scaled >= 10000)
			continue; /* 9.9995 is 10.00 */
		if (scaled >= limit * ten_to[decimals])
			return 0;
		write_scaled(text, scaled, decimals, step->name);
		return 1;
	}
	value = scale(value, step->one, 0);
	if (value >= limit)
		return 0;
	write_scaled(text, value, 0, step->name);
	return 1;
}

/* Writes value in the first of the units that is large enough. steps: units in order of size. */
static void write_steps(char *text, uint64_t value, const struct unit_step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t limit = i + 1 < count ? steps[i + 1].from / steps[i].one : UINT64_MAX / 1000;

		if (i + 1 < count && value >= steps[i + 1].from)
			continue;
		if (i == 0) {
			write_scaled(text, value, 0, steps[0].name);
			return;
		}
		if (write_step(text, value, &steps[i], limit))
			return;
	}
}

void units_format_ns(char text[UNITS_TEXT_BYTES], uint64_t ns)
{
	static const uint64_t second = 1000000000;
	static const struct unit_step steps[] = {{"ns", 1, 0}, {"us", 1000, 1000}, {"ms", 1000000, 1000000}, {"s", second, second},
		{"min", 60 * second, 1000 * second}, {"h", 3600 * second, 6000 * second}, {"d", 86400 * second, 360000 * second}};

	write_steps(text, ns, steps, sizeof steps / sizeof *steps);
}

void units_format_ns_short(char text[UNITS_TEXT_BYTES], uint64_t ns)
{
	char *unit;
	double value;

	units_format_ns(text, ns);
	value = strtod(text, &unit);
	if (value < 999.5) { /* otherwise days, or a fourth digit that rounding would carry into */
		char name[8];

		snprintf(name, sizeof name, "%.7s", unit);
		snprintf(text, UNITS_TEXT_BYTES, "%.3g%s", value, name);
	}
}

void units_format_ns_signed(char text[UNITS_TEXT_BYTES], int64_t ns)
{
	if (ns >= 0) {
		units_format_ns(text, (uint64_t)ns);
		return;
	}
	units_format_ns(text, 0 - (uint64_t)ns);
	memmove(text + 1, text, strlen(text) + 1);
	text[0] = '-';
}

bool units_parse_ns(const char *text, int64_t *ns)
{
	static const struct {
		const char *name;
		double ns;
	} steps[] = {{"ns", 1}, {"us", 1e3}, {"\xc2\xb5s", 1e3}, {"\xce\xbcs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9},
		{"d", 86400e9}};
	const char *digits = text + (*text == '-');
	char *end;
	double value;

	if ((*digits < '0' || *digits > '9') && *digits != '.') /* strtod accepts more: nan, blanks, another sign */
		return false;
	value = strtod(digits, &end);
	if (end == digits || strspn(digits, "0123456789.") != (size_t)(end - digits))
		return false;
	*ns = 0;
	if (!*end && value == 0)
		return true;
	end += strspn(end, " ");
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		if (strcmp(end, steps[i].name))
			continue;
		value *= steps[i].ns;
		if (value >= (double)INT64_MAX)
			return false;
		*ns = (int64_t)(value + 0.5) * (*text == '-' ? -1 : 1);
		return true;
	}
	return false;
}

void units_format_bytes(char text[UNITS_TEXT_BYTES], uint64_t bytes)
{
	static const struct unit_step steps[] = {{"B", 1, 0}, {"KB", 1000, 1000}, {"MB", 1000000, 1000000},
		{"GB", 1000000000, 1000000000}, {"TB", 1000000000000, 1000000000000}, {"PB", 1000000000000000, 1000000000000000},
		{"EB", 1000000000000000000, 1000000000000000000}};

	write_steps(text, bytes, steps, sizeof steps / sizeof *steps);
}

size_t units_write_decimal(char *out, uint64_t value)
{
	static const char pairs[] =
		"00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
		"49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
		"9899";
	char digits[20], *p = digits + sizeof digits;
	size_t bytes;

	while (value >= 100) {
		p -= 2;
		memcpy(p, pairs + 2 * (value % 100), 2);
		value /= 100;
	}
	if (value >= 10) {
		p -= 2;
		memcpy(p, pairs + 2 * value, 2);
	} else {
		*--p = (char)('0' + value);
	}
	bytes = (size_t)(digits + sizeof digits - p);
	memcpy(out, p, bytes);
	return bytes;
}

void units_format_count(char text[UNITS_TEXT_BYTES], uint64_t count)
{
	char digits[20];
	size_t bytes = units_write_decimal(digits, count);

	for (size_t i = 0; i < bytes; i++) {
		if (i && (bytes - i) % 3 == 0)
			*text++ = ',';
		*text++ = digits[i];
	}
	*text = 0;
}

void units_format_ticks(char text[UNITS_TEXT_BYTES], uint64_t ticks)
{
	units_format_count(text, ticks);
	strcat(text, ticks == 1 ? " tick" : " ticks");
}

void units_format_percent(char text[UNITS_TEXT_BYTES], double percent)
{
	if (!isfinite(percent))
		snprintf(text, UNITS_TEXT_BYTES, "-");
	else if (percent > 0 && percent < 0.005)
		snprintf(text, UNITS_TEXT_BYTES, "<0.01 %%");
	else if (fabs(percent) < 0.005) /* avoids -0.00 */
		snprintf(text, UNITS_TEXT_BYTES, "0.00 %%");
	else if (fabs(percent) >= 1e6)
		snprintf(text, UNITS_TEXT_BYTES, "%.3g %%", percent);
	else
		snprintf(text, UNITS_TEXT_BYTES, "%.2f %%", percent);
}

void units_format_change(char text[UNITS_TEXT_BYTES], double change, const char *unit)
{
	if (!isfinite(change))
		snprintf(text, UNITS_TEXT_BYTES, "-");
	else if (fabs(change) < 0.005) /* no sign of a zero */
		snprintf(text, UNITS_TEXT_BYTES, "0.00 %s", unit);
	else
		snprintf(text, UNITS_TEXT_BYTES, fabs(change) >= 1e6 ? "%+.3g %s" : "%+.2f %s", change, unit);
}

bool units_parse_bytes(const char *text, uint64_t *bytes)
{
	static const char letters[] = "KMGT";
	unsigned shift = 0;
	const char *letter;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*bytes = strtoull(text, &end, 10);
	if (errno)
		return false;
	letter = *end ? strchr(letters, toupper((unsigned char)*end)) : NULL;
	if (letter) {
		shift = 10 * (unsigned)(letter - letters + 1);
		end++;
		if (end[0] == 'i' && (end[1] == 'B' || end[1] == 'b'))
			end++;
	}
	if (*end == 'B' || *end == 'b')
		end++;
	if (*end || *bytes > UINT64_MAX >> shift)
		return false;
	*bytes <<= shift;
	return true;
}
