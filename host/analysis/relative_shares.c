/* relative_shares: see relative_shares.h. */
#include "analysis/relative_shares.h"

#include <stdlib.h>

#include "util/array.h"

/* Samples come chunk by chunk, each of one thread. Null: no memory. */
static struct relative_run *find_run(struct relative_shares *shares, uint32_t stream)
{
	if (shares->recent < shares->run_count && shares->runs[shares->recent].stream == stream)
		return &shares->runs[shares->recent];
	for (shares->recent = 0; shares->recent < shares->run_count; shares->recent++)
		if (shares->runs[shares->recent].stream == stream)
			return &shares->runs[shares->recent];
	if (!array_reserve(&shares->runs, &shares->run_capacity, shares->run_count + 1, sizeof *shares->runs))
		return NULL;
	shares->runs[shares->run_count] = (struct relative_run){.stream = stream};
	return &shares->runs[shares->run_count++];
}

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
	struct relative_run *run = shares->pattern ? find_run(shares, sample->stream) : NULL;
	bool is_self = run && sample->count && pattern_matches(shares->pattern, sample->functions[sample->count - 1]);
	size_t rows = 0;

	if (!run || !find_rows(shares, sample, &rows) ||
		!estimates_add_all(&shares->all, &run->all, where, rows ? 1u + is_self : 0, sample->weight) ||
		(rows && !estimates_add_all(&shares->rows, &run->rows, shares->found, rows, sample->weight)))
		shares->has_failed = true;
}

void relative_shares_finish(struct relative_shares *shares)
{
	for (size_t i = 0; i < shares->run_count; i++)
		if (!estimates_end_run(&shares->all, &shares->runs[i].all) || !estimates_end_run(&shares->rows, &shares->runs[i].rows))
			shares->has_failed = true;
}

void relative_shares_clear(struct relative_shares *shares)
{
	for (size_t i = 0; i < shares->run_count; i++) {
		estimate_run_clear(&shares->runs[i].all);
		estimate_run_clear(&shares->runs[i].rows);
	}
	estimates_clear(&shares->all);
	estimates_clear(&shares->rows);
	free(shares->runs);
	free(shares->found);
	*shares = (struct relative_shares){0};
}
