/* name_match: edit distance and patterns (name_match.h). */
#include "util/name_match.h"

#include <stdint.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t name_match_distance(const char *a, const char *b)
{
	/* The rows of the current letter of a, of the previous letter, and of the second-last letter, for swapped neighbours. */
	size_t rows[3][NAME_MATCH_BYTES_MAX + 1], a_bytes = strlen(a), b_bytes = strlen(b);

	if (a_bytes > NAME_MATCH_BYTES_MAX || b_bytes > NAME_MATCH_BYTES_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= b_bytes; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_bytes; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above_that = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_bytes; j++) {
			row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], above_that[j - 2] + 1);
		}
	}
	return rows[a_bytes % 3][b_bytes];
}

bool name_match_is_pattern(const char *text)
{
	return strpbrk(text, "*?");
}

bool name_match_may_be_literal(const char *text)
{
	return name_match_is_pattern(text) && (strpbrk(text, "(<") || strstr(text, "operator"));
}

/* When a letter does not match, the last * takes one more letter. Earlier stars need no second attempt: the last star can take all
 * that they could. */
bool name_match_pattern(const char *pattern, const char *text)
{
	const char *star = NULL, *behind = NULL; /* the last star, and the text after the part that the star has taken */

	while (*text) {
		if (*pattern == '*') {
			star = pattern++;
			behind = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++behind;
		} else {
			return false;
		}
	}
	return !pattern[strspn(pattern, "*")];
}
