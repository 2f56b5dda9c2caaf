/* relative_shares: counts the samples of each caller or callee in blocks, as a base for intervals. */
#include "analysis/relative_shares.h"

#include <stdlib.h>

#include "util/array.h"

/* The row (caller or callee, id + 1) for the function at this index of the path. */
static uint32_t row_beside(const struct relative_shares *shares, const struct model_sample *sample, size_t index)
{
	if (shares->side == RELATIVES_CALLERS)
		return index ? sample->functions[index - 1] + 1 : 0;
	return index + 1 < sample->count ? sample->functions[index + 1] + 1 : 0;
}

/* Fills found with the rows of the sample, each once, however often the function is on the path. A path has few different callers
 * of a function, so a linear search is fast. False: memory ran out. */
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
	struct estimate_blocks *rows_blocks = shares->pattern ? estimate_streams_get(&shares->rows_streams, sample->stream) : NULL;
	struct estimate_blocks *all_blocks = rows_blocks ? estimate_streams_get(&shares->all_streams, sample->stream) : NULL;
	bool is_self = all_blocks && sample->count && pattern_matches(shares->pattern, sample->functions[sample->count - 1]);
	size_t rows = 0;

	if (!all_blocks || !find_rows(shares, sample, &rows) ||
		!estimates_add_all(&shares->all, all_blocks, where, rows ? 1u + is_self : 0, sample->weight) ||
		(rows && !estimates_add_all(&shares->rows, rows_blocks, shares->found, rows, sample->weight)))
		shares->has_failed = true;
}

void relative_shares_finish(struct relative_shares *shares, bool jittered)
{
	shares->all.jittered = shares->rows.jittered = jittered;
	if (!estimates_end_streams(&shares->all, &shares->all_streams) ||
		!estimates_end_streams(&shares->rows, &shares->rows_streams))
		shares->has_failed = true;
}

void relative_shares_clear(struct relative_shares *shares)
{
	estimate_streams_clear(&shares->all_streams);
	estimate_streams_clear(&shares->rows_streams);
	estimates_clear(&shares->all);
	estimates_clear(&shares->rows);
	free(shares->found);
	*shares = (struct relative_shares){0};
}
