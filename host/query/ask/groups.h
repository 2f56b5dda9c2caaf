/* groups: the question of dwell report --group. */
#ifndef DWELL_HOST_QUERY_ASK_GROUPS_H
#define DWELL_HOST_QUERY_ASK_GROUPS_H

#include "query/question.h"

struct groups_question {
	struct question question;
	const char *group; /* "module", "thread", "process" or "source" */
};

/* The row of --group, in the question and in dwell report. at: of the member in the struct that the row fills. */
#define PARAMETER_GROUP(at, ...) \
	{"--group", "KEY", OPTION_CHOICE, at, \
		"add up self times by module, thread, process or source (the source file, from debug information), in place of functions", \
		.choices = "module, thread, process or source", __VA_ARGS__}

#endif
