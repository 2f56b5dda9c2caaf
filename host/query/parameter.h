/* parameter: rows for the parameters that several questions share, which set members of struct question. A row is both an option of
 * a command, --limit, and a parameter of dwell/read.h, limit. */
#ifndef DWELL_HOST_QUERY_PARAMETER_H
#define DWELL_HOST_QUERY_PARAMETER_H

#include "option/option_row.h"
#include "query/question.h"

#define QUESTION_AT(member) offsetof(struct question, member)

/* Rows for a member of any struct; at: the member's offset. The macros PARAMETER_ below are the same rows for struct question. */
#define ROW_THREAD_AT(at) {"--thread", "T", OPTION_TEXT, at, "only this thread: its name, its number, or a pattern ('worker*')"}
#define ROW_RAW_AT(at) {"--raw", NULL, OPTION_FLAG, at, "show times as recorded, with the cost of recording"}
#define ROW_LINES_AT(at) {"--lines", NULL, OPTION_FLAG, at, "show also where each function begins in the source"}
#define ROW_LIMIT_AT(at, what) {"--limit", "N", OPTION_COUNT, at, "only the first N " what "", "-n"}
/* Two rows for a member of type enum by. text: the help of both. Further arguments set more members of both rows. */
#define ROWS_BY_AT(place, text, ...)                                                                                               \
	{"--cpu", NULL, OPTION_SET, place, NULL, .number = BY_CPU, .parameter = "by",                                              \
		.excludes = OPTION_EXCLUDES({"--wall", "one of them at a time"}), __VA_ARGS__},                                    \
		{"--wall", NULL, OPTION_SET, place, text, .number = BY_WALL, .parameter = "by", __VA_ARGS__}
#define HELP_BY_OF_SUMS "by CPU time, or by wall-clock time (waiting included). Without it: CPU time if the trace has it"
#define HELP_BY_OF_CALLS "by CPU time, or by wall-clock time with waiting and preemption (the default)"

/* For a member of type struct window_span. */
#define ROW_TIME_AT(at)                                                                                                            \
	{"--time", "BEGIN..END", OPTION_OWN, at,                                                                                   \
		"only this part of the recording's time, counted from its start: 2s..3s, 1.5ms.. or ..20us. Calls that are open at its " \
		"borders count for as long as they are in it",                                                                     \
		.read = window_read_span}

#define PARAMETER_THREAD ROW_THREAD_AT(QUESTION_AT(thread))
/* Of questions about the profile (query/ask/profile.h) and groups. */
#define PARAMETER_TIME ROW_TIME_AT(QUESTION_AT(span))
/* Of single calls. */
#define PARAMETER_TIME_OF_CALLS(...)                                                                                               \
	{"--time", "BEGIN..END", OPTION_OWN, QUESTION_AT(span),                                                                    \
		"only calls that were running in this part of the recording's time, with their whole times: 2s..3s, 1.5ms.. or ..20us",  \
		.read = window_read_span, __VA_ARGS__}
#define PARAMETER_RAW ROW_RAW_AT(QUESTION_AT(raw))
#define PARAMETER_LINES ROW_LINES_AT(QUESTION_AT(lines))
#define PARAMETER_LIMIT(what) ROW_LIMIT_AT(QUESTION_AT(limit), what)
#define PARAMETER_DEPTH(what, ...) {"--depth", "N", OPTION_COUNT, QUESTION_AT(depth_limit), what, __VA_ARGS__}
#define PARAMETER_MIN(what) {"--min", "PERCENT", OPTION_NUMBER, QUESTION_AT(percent_min), what, .high = 100}
#define PARAMETERS_BY(text, ...) ROWS_BY_AT(QUESTION_AT(by), text, __VA_ARGS__)

/* The defaults of a question's struct. */
#define QUESTION_DEFAULTS .limit = UINT64_MAX, .depth_limit = UINT64_MAX

#endif
