/* profile: the common parts of all questions about a recording's profile: functions, tree, callers, callees, durations. */
#ifndef DWELL_HOST_QUERY_ASK_PROFILE_H
#define DWELL_HOST_QUERY_ASK_PROFILE_H

#include "analysis/distribution.h"
#include "analysis/relative_shares.h"
#include "model/function/pattern.h"
#include "query/question.h"

struct profile_question {
	struct question question;
	const char *sort; /* for functions: the key of a column */
	bool places;      /* for trees: columns "file" and "address" with the place of each function */

	/* Results. */
	struct pattern *pattern; /* matches question.function; owned; null: not made yet */
	struct relative_shares shares; /* for callers and callees of samples */
	struct analysis_distribution durations; /* for durations, set by question_write: sums over all rows */
};

/* Common members of struct question_type for these questions. */
extern const struct profile_question profile_defaults;
#define PROFILE_QUESTION .bytes = sizeof(struct profile_question), .defaults = &profile_defaults, .clear = profile_clear

/* For questions that a profile answers. profile_read reads the recording into a model with these options. profile_find makes the
 * pattern, and checks that the profile has the function and the time. False with a diag: failed. */
bool profile_read(struct question *question, struct trace *trace, const char *path, struct model_options model);
bool profile_find(struct question *question, struct trace *trace);
void profile_clear(struct question *question);

/* Writes the whole answer from a profile that has been read to sink. places: as in struct profile_question. False with a diag:
 * the profile has no answer. */
bool profile_answer(const struct question_type *type, bool places, struct trace *trace, const struct table_sink *sink);

/* Makes the pattern of question->function, if not made yet. */
void profile_find_pattern(struct profile_question *ask, struct trace *trace);

/* Implements question_type.write: gets the sink from output, and calls write with the sink. write returns false if memory ran out.
 */
void profile_write(struct question *question, struct trace *trace, const struct question_output *output,
	bool (*write)(struct profile_question *ask, const struct trace *trace, const struct table_sink *sink));

#endif
