/* question: what is asked of a recording's profile, and the answer as a table.
 *
 *     struct question question = {.kind = QUESTION_CALLERS, .function = "parse", .limit = UINT64_MAX};
 *     if (question_read(&question, &trace, path))
 *             question_write(&question, &trace, &sink);
 *     question_clear(&question);
 *     trace_close(&trace);
 *
 * Between the two a command prints what stands above its table. */
#ifndef DWELL_HOST_QUERY_QUESTION_H
#define DWELL_HOST_QUERY_QUESTION_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/by.h"
#include "analysis/distribution.h"
#include "analysis/relative_shares.h"
#include "analysis/table.h"
#include "analysis/table_rest.h"
#include "query/trace.h"

enum question_kind {
	QUESTION_FUNCTIONS, /* a row for each function; of samples its share */
	QUESTION_TREE,      /* a row for each call path, in preorder */
	QUESTION_CALLERS,   /* of a function */
	QUESTION_CALLEES,
	QUESTION_DURATIONS, /* of a function's calls, by the clock: a row for each range */
};

struct question {
	enum question_kind kind;
	/* As it is asked; zero: not. */
	const char *function; /* of those that are about one: a name, or a pattern */
	const char *thread;
	const char *sort;     /* of functions: a column */
	enum by by;
	uint64_t limit;       /* rows; UINT64_MAX: all */
	uint64_t depth_limit; /* of the tree, levels; UINT64_MAX: all */
	double percent_min;   /* of the tree */
	bool raw;             /* as in struct model_options */
	bool is_option;       /* what is asked stands on a command line: messages name --sort, not sort */

	/* Found by question_read. */
	struct pattern *pattern; /* the functions that are meant */
	struct relative_shares shares; /* of callers and callees in samples */
	struct analysis_distribution durations; /* of durations, by question_write: what sums the rows up */
	struct table_rest rest; /* by question_write: what limit leaves out. Not of durations */
};

/* Opens the recording and reads what the question needs. False and a diag: it cannot be read, or has no answer. question_clear and
 * trace_close in any case. */
bool question_read(struct question *question, struct trace *trace, const char *path);

/* The same of a recording whose profile is read already, with durations: not of samples' callers. */
bool question_find(struct question *question, struct trace *trace);

/* Whether there is such an answer, which question_write finds out, too: a command prints nothing above one that is none. False and a
 * diag: the recording has no such column to sort by, or no such time. */
bool question_check(const struct question *question, const struct trace *trace);

/* Of functions that were called: the title of the column that orders them, and which time that is; BY_BEST: none. */
const char *question_get_order(const struct question *question, const struct trace *trace, enum by *by);

/* Of callers and callees in samples: the rows' intervals. Null: there are none. */
const struct estimates *question_get_shares(const struct question *question);

/* Writes the table. False and a diag: no memory, or the recording has no such column to sort by. */
bool question_write(struct question *question, struct trace *trace, const struct table_sink *sink);

void question_clear(struct question *question);

#endif
