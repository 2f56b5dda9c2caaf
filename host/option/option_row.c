/* option_row: lists of rows, and the conflicts between given options. */
#include "option/option_row.h"

#include <string.h>

static size_t add_rows(const struct option_row *from, size_t at, struct option_row *rows, size_t count)
{
	for (; from && (from->name || from->rows) && count < OPTION_ROWS_MAX; from++) {
		if (from->kind == OPTION_ROWS) {
			count = add_rows(from->rows, at + from->at, rows, count);
			continue;
		}
		rows[count] = *from;
		rows[count++].at += at;
	}
	return count;
}

size_t option_list(const struct option_row *list, struct option_row rows[static OPTION_ROWS_MAX])
{
	return add_rows(list, 0, rows, 0);
}

bool option_has_word(const char *list, const char *word)
{
	size_t bytes = word ? strlen(word) : 0;

	for (const char *at = list; bytes && at && (at = strstr(at, word)); at += bytes)
		if ((at == list || at[-1] == ' ') && (!at[bytes] || at[bytes] == ' '))
			return true;
	return false;
}

const struct option_row *option_find_given(const struct option_row *rows, size_t count, uint64_t given, const char *of)
{
	for (size_t i = 0; i < count; i++)
		if (given >> i & 1 && (option_has_word(of, rows[i].name) || option_has_word(of, rows[i].family)))
			return &rows[i];
	return NULL;
}

const struct option_pair *option_find_exclusion(
	const struct option_row *rows, size_t count, uint64_t given, const struct option_row **one, const struct option_row **other)
{
	for (size_t i = 0; i < count; i++) {
		*one = &rows[i];
		for (const struct option_pair *pair = given >> i & 1 ? rows[i].excludes : NULL; pair && pair->with; pair++)
			if (!option_find_given(rows, count, given, pair->unless) &&
				(*other = option_find_given(rows, count, given & ~(UINT64_C(1) << i), pair->with)))
				return pair;
	}
	return NULL;
}

const char *option_excludes(const struct option_row *list, const char *a, const char *b)
{
	struct option_row rows[OPTION_ROWS_MAX];
	const struct option_row *one, *other;
	size_t count = option_list(list, rows);
	const struct option_pair *pair;
	uint64_t given = 0;

	for (size_t i = 0; i < count; i++)
		if (!strcmp(rows[i].name, a) || !strcmp(rows[i].name, b))
			given |= UINT64_C(1) << i;
	pair = option_find_exclusion(rows, count, given, &one, &other);
	return pair ? pair->why : NULL;
}
