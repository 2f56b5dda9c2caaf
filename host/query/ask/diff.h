/* diff: what changed between runs of an old program and of a new one, function by function. */
#ifndef DWELL_HOST_QUERY_ASK_DIFF_H
#define DWELL_HOST_QUERY_ASK_DIFF_H

#include "query/comparison.h"
#include "query/question.h"

/* question.runs: the files. */
struct diff_question {
	struct question question;
	const char *measure; /* the measure of the verdict; null: the best available */
	double confidence;   /* percent */
	bool changed_only;   /* without the functions that show no change; not a parameter: tables for people only */

	/* Results. */
	struct comparison comparison;
	enum diff_measure by;
};

#endif
