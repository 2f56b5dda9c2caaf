/* diff_risen: finds functions that take more time because of what they call. A table of self times shows what they call, which may
 * be a function of a library, and not them. */
#include "analysis/diff/diff_inner.h"

#define NEARLY_ALL 0.9 /* part of all time: main, and what only calls the rest, rise with everything */
#define RISE_MIN 0.01  /* part of all time */

/* Whether the total rose by enough, and by more than twice the self time did. */
static bool is_risen(const struct diff *diff, size_t row)
{
	const struct compared *total = &diff->compared[DIFF_TOTAL][row], *self = &diff->compared[DIFF_TIME][row];
	double whole = diff->whole.mean[COMPARE_OLD];

	return diff_has_row(diff, DIFF_TOTAL, row) && total->change > RISE_MIN * whole && total->change > 2 * self->change &&
		total->mean[COMPARE_OLD] < NEARLY_ALL * whole && (!total->is_known || total->verdict == COMPARE_ROSE);
}

/* Puts the row at its place among the first count of rows, which has room for max. Returns the new count. */
static size_t insert(const struct diff *diff, uint32_t *rows, size_t count, size_t max, uint32_t row)
{
	const struct compared *of = diff->compared[DIFF_TOTAL];
	size_t at = count < max ? count : max;

	for (; at && of[rows[at - 1]].change < of[row].change; at--)
		if (at < max)
			rows[at] = rows[at - 1];
	if (at < max)
		rows[at] = row;
	return count < max ? count + 1 : max;
}

size_t diff_find_risen(const struct diff *diff, uint32_t *rows, size_t max)
{
	size_t count = 0;

	for (size_t i = 0; diff_has_measure(diff, DIFF_TOTAL) && i < diff->row_count; i++)
		if (is_risen(diff, i))
			count = insert(diff, rows, count, max, (uint32_t)i);
	return count;
}

const char *diff_get_name(const struct diff *diff, uint32_t row)
{
	return diff->rows[row].longer ? diff->rows[row].longer : diff->rows[row].name;
}

const struct compared *diff_get_compared(const struct diff *diff, enum diff_measure measure, uint32_t row)
{
	return &diff->compared[measure][row];
}
