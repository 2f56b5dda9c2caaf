/* folded_line: splits a line of folded stacks into path and count. */
#include "reader/profiles/folded_line.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads the digits at text into whole. Returns how many; sets overflow if they are 2^64 or more. */
static size_t parse_whole(const char *text, size_t length, uint64_t *whole, bool *overflow)
{
	size_t i = 0;

	for (; i < length && is_digit(text[i]); i++)
		*overflow |= __builtin_mul_overflow(*whole, (uint64_t)10, whole) ||
			     __builtin_add_overflow(*whole, (uint64_t)(text[i] - '0'), whole);
	return i;
}

/* Reads the digits behind the point, rounded to billionths, which may become a whole billion. Returns how many. */
static size_t parse_fraction(const char *text, size_t length, struct folded_count *count)
{
	uint32_t place = FOLDED_BILLION;
	size_t i = 0;

	for (; i < length && is_digit(text[i]); i++) {
		place /= 10;
		count->billionths += i == FOLDED_DIGITS_MAX ? text[i] >= '5' : (uint32_t)(text[i] - '0') * place;
		if (text[i] != '0')
			count->digits = i < FOLDED_DIGITS_MAX ? (unsigned)i + 1 : FOLDED_DIGITS_MAX + 1;
	}
	return i;
}

/* Reads a count, digits with at most one point. Returns null, or an error message. */
static const char *parse_count(const char *text, size_t length, struct folded_count *count)
{
	bool overflow = false, negative = length && *text == '-';
	size_t at;

	*count = (struct folded_count){0};
	text += negative;
	length -= negative;
	at = parse_whole(text, length, &count->whole, &overflow);
	if (at && at < length && text[at] == '.')
		at += 1 + parse_fraction(text + at + 1, length - at - 1, count);
	if (!at || at < length)
		return "has no count at its end";
	if (negative)
		return "has a count below 0, as of a difference";
	return overflow ? "has a count beyond 2^64" : NULL;
}

static size_t trim_blanks(const char *text, size_t length)
{
	while (length && is_blank(text[length - 1]))
		length--;
	return length;
}

/* Returns where the last word of text begins. */
static size_t find_last_word(const char *text, size_t length)
{
	while (length && !is_blank(text[length - 1]))
		length--;
	return length;
}

/* Returns whether a path of this many bytes ends with a blank and a number. */
static bool ends_with_count(const char *text, size_t path_bytes)
{
	size_t at = find_last_word(text, path_bytes);

	return at && !parse_count(text + at, path_bytes - at, &(struct folded_count){0});
}

struct folded_line folded_line_parse(const char *text, size_t length)
{
	struct folded_line line = {0};
	size_t count_at;

	while (length && (is_blank(text[length - 1]) || text[length - 1] == '\r'))
		length--;
	if (!length)
		return line; /* an empty line: no problem, no path */
	count_at = find_last_word(text, length);
	line.problem = parse_count(text + count_at, length - count_at, &line.count);
	if (line.problem && length > 1 && text[0] == '#' && is_blank(text[1]))
		return (struct folded_line){0}; /* a comment, such as `dwell export` writes */
	if (!line.problem && memchr(text, 0, length))
		line.problem = "holds a zero byte";
	line.path_bytes = trim_blanks(text, count_at);
	line.has_two_counts = !line.problem && ends_with_count(text, line.path_bytes);
	if (!line.problem && !line.path_bytes)
		line.problem = "has a count and no names";
	return line;
}

bool folded_count_scale(const struct folded_count *count, unsigned digits, uint64_t *weight)
{
	unsigned __int128 value = (unsigned __int128)count->whole * FOLDED_BILLION + count->billionths;
	uint64_t divisor = FOLDED_BILLION;

	for (unsigned i = 0; i < digits; i++)
		divisor /= 10;
	value = (value + divisor / 2) / divisor;
	*weight = (uint64_t)value;
	return value <= UINT64_MAX;
}
