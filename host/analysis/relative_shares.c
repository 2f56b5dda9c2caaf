/* relative_shares: see relative_shares.h. */
#include "analysis/relative_shares.h"

#include <stdlib.h>

#include "util/array.h"

/* Whose relative the function at an index of the path is. */
static uint32_t row_beside(const struct relative_shares *shares, const struct model_sample *sample, size_t index)
{
	if (shares->side == RELATIVES_CALLERS)
		return index ? sample->functions[index - 1] + 1 : 0;
	return index + 1 < sample->count ? sample->functions[index + 1] + 1 : 0;
}

/* Each row once, however often the function is on the path. Recursion has few different callers, so looking through them is quick. */
static bool find_rows(struct relative_shares *shares, const struct model_sample *sample, size_t *count)
{
	*count = 0;
	for (size_t i = 0; i < sample->count; i++) {
		uint32_t row;
		size_t at = 0;

		if (!pattern_matches(shares->pattern, sample->functions[i]))
			continue;
		row = row_beside(shares, sample, i);
		while (at < *count && shares->found[at] != row)
			at++;
		if (at < *count)
			continue;
		if (!array_reserve(&shares->found, &shares->found_capacity, *count + 1, sizeof *shares->found))
			return false;
		shares->found[(*count)++] = row;
	}
	return true;
}

void relative_shares_take(void *context, const struct model_sample *sample)
{
	static const uint32_t where[] = {0, 1};
	struct relative_shares *shares = context;
	struct estimate_run *rows_run = shares->pattern ? estimate_runs_get(&shares->rows_runs, sample->stream) : NULL;
	struct estimate_run *all_run = rows_run ? estimate_runs_get(&shares->all_runs, sample->stream) : NULL;
	bool is_self = all_run && sample->count && pattern_matches(shares->pattern, sample->functions[sample->count - 1]);
	size_t rows = 0;

	if (!all_run || !find_rows(shares, sample, &rows) ||
		!estimates_add_all(&shares->all, all_run, where, rows ? 1u + is_self : 0, sample->weight) ||
		(rows && !estimates_add_all(&shares->rows, rows_run, shares->found, rows, sample->weight)))
		shares->has_failed = true;
}

void relative_shares_finish(struct relative_shares *shares)
{
	if (!estimates_end_runs(&shares->all, &shares->all_runs) || !estimates_end_runs(&shares->rows, &shares->rows_runs))
		shares->has_failed = true;
}

void relative_shares_clear(struct relative_shares *shares)
{
	estimate_runs_clear(&shares->all_runs);
	estimate_runs_clear(&shares->rows_runs);
	estimates_clear(&shares->all);
	estimates_clear(&shares->rows);
	free(shares->found);
	*shares = (struct relative_shares){0};
}
