#include "option/option_value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/units.h"

const char *option_choices(const struct option_row *row)
{
	return row->get_choices ? row->get_choices() : row->choices;
}

const char *option_next_choice(const char **at, size_t *bytes)
{
	const char *word = *at + strspn(*at, ", ");

	if (!strncmp(word, "or ", 3))
		word += 3;
	*bytes = strcspn(word, ", ");
	*at = word + *bytes;
	return *bytes ? word : NULL;
}

static bool is_choice(const char *choices, const char *text)
{
	const char *word;
	size_t bytes;

	while ((word = option_next_choice(&choices, &bytes)))
		if (strlen(text) == bytes && !strncmp(text, word, bytes))
			return true;
	return false;
}

static bool is_within(const struct option_row *row, double number)
{
	return number >= row->low && (row->high <= 0 || number <= row->high);
}

/* Writes what a row of numbers expects to expected. kind: "number" or "whole number". */
static const char *expect_number(const struct option_row *row, const char *kind, char expected[static OPTION_EXPECTED_BYTES])
{
	if (row->high > 0)
		snprintf(expected, OPTION_EXPECTED_BYTES, "a number from %.10g to %.10g", row->low, row->high);
	else
		snprintf(expected, OPTION_EXPECTED_BYTES, "a %s from %.10g", kind, row->low);
	return expected;
}

static bool read_count(const struct option_row *row, const char *text, uint64_t *count)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && is_within(row, (double)*count);
}

static bool read_number(const struct option_row *row, const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	return end != text && !*end && is_within(row, *number);
}

static bool read_size(const struct option_row *row, const char *text, uint64_t *bytes)
{
	return units_parse_bytes(text, bytes) && is_within(row, (double)*bytes);
}

static const char *read_moment(const struct option_row *row, const char *text, int64_t *ns)
{
	if (!units_parse_ns(text, ns))
		return "a time with its unit, as 20us, 1.5ms or 2s";
	return row->kind == OPTION_MOMENT || is_within(row, (double)*ns) ? NULL : "a duration from 0";
}

static const char *read_value(const struct option_row *row, void *at, const char *text, char expected[static OPTION_EXPECTED_BYTES])
{
	uint64_t count;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)at = true;
		return NULL;
	case OPTION_SET:
		memcpy(at, &row->number, sizeof row->number);
		return NULL;
	case OPTION_CHOICE:
		if (!is_choice(row->choices, text))
			return row->choices;
		/* fall through */
	case OPTION_TEXT:
	case OPTION_FILE:
		*(const char **)at = text;
		return row->kind == OPTION_FILE && !*text ? "the name of a file" : NULL;
	case OPTION_COUNT:
		return read_count(row, text, at) ? NULL : expect_number(row, "whole number", expected);
	case OPTION_COUNT_32:
		count = row->number;
		if (text && !read_count(row, text, &count))
			return expect_number(row, "whole number", expected);
		*(uint32_t *)at = (uint32_t)count;
		return NULL;
	case OPTION_NUMBER:
		return read_number(row, text, at) ? NULL : expect_number(row, "number", expected);
	case OPTION_SIZE:
		return read_size(row, text, at) ? NULL : "a size, such as 512K or 16M";
	case OPTION_DURATION:
	case OPTION_MOMENT:
		return read_moment(row, text, at);
	case OPTION_OWN:
		return row->read(at, text);
	case OPTION_MARK:
	case OPTION_ROWS:
		break;
	}
	return NULL;
}

const char *option_read_value(
	const struct option_row *row, void *options, const char *text, char expected[static OPTION_EXPECTED_BYTES])
{
	const char *wrong = read_value(row, (char *)options + row->at, text, expected);

	return wrong && row->expected ? row->expected : wrong;
}

const char *option_take_pid(void *pid, const char *text)
{
	const struct option_row row = {.low = 1, .high = INT32_MAX};
	uint64_t number;

	if (!read_count(&row, text, &number))
		return "the number of a process";
	*(pid_t *)pid = (pid_t)number;
	return NULL;
}
