/* folded_line: one line of folded stacks, `outermost;…;innermost count`. For folded.c and the scan before it. */
#ifndef DWELL_HOST_READER_PROFILES_FOLDED_LINE_H
#define DWELL_HOST_READER_PROFILES_FOLDED_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FOLDED_DIGITS_MAX 9u /* kept digits behind the point: counts are in billionths */
#define FOLDED_BILLION UINT64_C(1000000000)

/* A count, exact up to FOLDED_DIGITS_MAX digits behind the point. */
struct folded_count {
	uint64_t whole;
	uint32_t billionths; /* rounded, so up to FOLDED_BILLION */
	unsigned digits;     /* behind the point, without zeros at the end; FOLDED_DIGITS_MAX + 1: more than are kept */
};

/* A parsed line; problem: error message, or null. A line without a stack (empty, a comment) has no problem and no path. */
struct folded_line {
	size_t path_bytes; /* of the names with the semicolons */
	struct folded_count count;
	bool has_two_counts; /* the path ends with a blank and a number, too */
	const char *problem;
};

/* pre: text has no newline. */
struct folded_line folded_line_parse(const char *text, size_t length);

/* Writes the count times 10^digits, rounded. digits: up to FOLDED_DIGITS_MAX. False: the result is 2^64 or more. */
bool folded_count_scale(const struct folded_count *count, unsigned digits, uint64_t *weight);

#endif
