/* drain_row: calls core/row.h for rows of usual slots, with or without sums. */
#include "record/drain/drain_row.h"

#include "core/row.h"

/* Makes room in the sums, a struct path_sums. Inline, since the check for room is most of its work. */
static inline __attribute__((always_inline)) void reserve(void *sums, uint32_t depth)
{
	path_sums_reserve(sums, depth);
}

uint32_t drain_fold_row(struct dwell_fold *fold, const uint64_t *slots, uint32_t count)
{
	return dwell_row_fold(fold, slots, count, NULL, NULL, NULL);
}

uint32_t drain_count_row(struct dwell_fold *fold, const uint64_t *slots, uint32_t count, struct path_sums *sums)
{
	return dwell_row_fold(fold, slots, count, &sums->paths, reserve, sums);
}
