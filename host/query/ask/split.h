/* split: a function's samples by parts of its code. */
#ifndef DWELL_HOST_QUERY_ASK_SPLIT_H
#define DWELL_HOST_QUERY_ASK_SPLIT_H

#include <stdint.h>

#include "model/sums/split.h"
#include "query/question.h"

struct split_question {
	struct question question;
	uint64_t intervals; /* 1 to SPLIT_INTERVALS_MAX */

	/* Results. */
	const struct split_symbol *symbol; /* owned by the model */
};

/* The row of --intervals, in the question and in dwell report. at: of the member in the struct that the row fills. */
#define PARAMETER_INTERVALS(at, ...) \
	{"--intervals", "N", OPTION_COUNT, at, "the number of intervals, 1 to 999 (25)", .low = 1, .high = SPLIT_INTERVALS_MAX, __VA_ARGS__}

#endif
