/* times: the question of dwell report --times-from. */
#ifndef DWELL_HOST_QUERY_ASK_TIMES_H
#define DWELL_HOST_QUERY_ASK_TIMES_H

#include "analysis/joined.h"
#include "query/question.h"

struct times_question {
	struct question question;
	const char *samples; /* the path of the sampled recording */
	const char *sort;    /* a key of analysis_shares_sort_keys(); null: self_percent */

	/* Results. */
	struct trace sampled; /* the sampled recording */
	struct joined joined;
};

/* The row of --times-from, in the question and in dwell report. at: of the member in the struct that the row fills. */
#define PARAMETER_TIMES_FROM(at, ...)                                                                                              \
	{"--times-from", "SAMPLES", OPTION_FILE, at,                                                                               \
		"take calls from FILE, a trace, and times from SAMPLES, a sampled recording of the same program: exact numbers of "  \
		"calls, and shares that tracing has not disturbed. A sample counts for the innermost function that the trace has",   \
		.parameter = "times_from", __VA_ARGS__}

#endif
