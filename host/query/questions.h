/* questions: the types of all questions about a recording, a row for each. */
#ifndef DWELL_HOST_QUERY_QUESTIONS_H
#define DWELL_HOST_QUERY_QUESTIONS_H

#include "query/question.h"

/* The names of all questions. The type question_functions is in ask/functions.c, and so on. */
#define QUESTION_EACH(X) \
	X(functions) X(groups) X(tree) X(callers) X(callees) X(durations) X(slowest) X(calls) X(split) X(info) X(diff) X(times)

#define QUESTION_DECLARE(name) extern const struct question_type question_##name;
QUESTION_EACH(QUESTION_DECLARE)
#undef QUESTION_DECLARE

/* The questions' parameters, for the rows of commands. callers and callees share theirs. */
extern const struct option_row functions_parameters[], groups_parameters[], tree_parameters[], relatives_parameters[],
	durations_parameters[], slowest_parameters[], calls_parameters[], split_parameters[], info_parameters[], diff_parameters[],
	times_parameters[];

#define QUESTION_COUNT(name) +1
#define QUESTION_TYPES (0 QUESTION_EACH(QUESTION_COUNT))
extern const struct question_type *const question_types[QUESTION_TYPES];

#endif
