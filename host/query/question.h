/* question: a question about a recording, answered by a table. Commands, dwell/read.h and dwell tui ask questions. The type of a
 * question is a row of query/questions.h, defined in a file of query/ask/.
 *
 *     struct profile_question callers;
 *
 *     question_begin(&callers.question, &question_callers);
 *     callers.question.function = "parse";
 *     if (question_read(&callers.question, &trace, path))
 *             question_write(&callers.question, &trace, &output);
 *     question_clear(&callers.question);
 *     trace_close(&trace); */
#ifndef DWELL_HOST_QUERY_QUESTION_H
#define DWELL_HOST_QUERY_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/by.h"
#include "analysis/calls/call_filter.h"
#include "analysis/table.h"
#include "analysis/table_rest.h"
#include "option/option_row.h"
#include "query/trace.h"

/* Runs of an old program and of a new one (analysis/diff/diff.h: enum compare_side), for questions that compare. */
struct question_runs {
	char *const *files[2]; /* paths */
	size_t counts[2];      /* number of paths */
};

struct question_type;

/* The first member of each question's own struct, which adds parameters and results of its own. All texts are borrowed. */
struct question {
	const struct question_type *type;
	const char *function; /* a name or a pattern; null: all functions */
	const char *thread;   /* a name, a number or a pattern; null: all threads */
	struct window_span span; /* only this part of the recording's time */
	enum by by;           /* the time by which rows are sorted, and which percentages count */
	uint64_t limit;       /* number of rows, or of calls; UINT64_MAX: all */
	uint64_t depth_limit; /* levels; UINT64_MAX: all */
	double percent_min;   /* a path with a smaller share, in percent, has no row of its own */
	bool raw;             /* as in struct model_options */
	bool lines;           /* the writer of the table adds the lines where functions begin (analysis/with_lines.h) */
	bool is_option;       /* the parameters are options of a command line: messages name --sort, not sort */
	struct question_runs runs; /* for the question diff alone */
	struct table_rest rest; /* set by question_write: the rows beyond limit, if limit ends the table */
};

/* Sets the part of the recording's time that the trace reads; pre: the trace has no model yet. */
void question_set_span(const struct question *question, struct trace *trace);

/* The receiver of the answer. */
struct question_output {
	/* Called once, when the answer is certain, before its first row. Returns the sink for the rows; null: the answer is not
	 * needed. clock: the clock of the times in the rows; null: rows contain no times. */
	const struct table_sink *(*begin)(
		void *context, struct question *question, struct trace *trace, const struct clock_map *clock);
	void *context;
};

struct question_type {
	const char *name; /* "callers" */
	const char *text; /* a description of the answer in one line */
	bool of_function; /* the question is about a function, which must be set unless it is usual */
	const char *usual_function; /* the function of a question without one: "*", all of them; null: there must be one */
	const struct option_row *parameters; /* for members of the question's struct; ends with an empty row */
	size_t bytes;      /* size of that struct */
	const void *defaults; /* a struct of that type with its defaults */
	/* Returns a message if parameters conflict; else null. Null function: no parameters conflict. */
	const char *(*check)(const struct question *question);
	/* Opens the recording and reads what the question needs. False with a diag: the recording cannot
	 * be read, or has no answer. */
	bool (*read)(struct question *question, struct trace *trace, const char *path);
	/* The same without reading, for a trace with a profile. False with a diag: the profile has no answer. Null function: no
	 * profile has the answer. */
	bool (*find)(struct question *question, struct trace *trace);
	/* Errors go to the diag. A table that has begun is always ended. */
	void (*write)(struct question *question, struct trace *trace, const struct question_output *output);
	void (*clear)(struct question *question);
};

/* Sets the type's whole struct to its defaults. question: the first member of that struct. */
void question_begin(struct question *question, const struct question_type *type);
/* These call the type's functions. A null find: false without a diag. */
bool question_read(struct question *question, struct trace *trace, const char *path);
bool question_find_in_profile(struct question *question, struct trace *trace);
void question_write(struct question *question, struct trace *trace, const struct question_output *output);
/* Like question_write, but writes to sink. */
void question_write_to(struct question *question, struct trace *trace, const struct table_sink *sink);
/* Call this in any case, then trace_close. */
void question_clear(struct question *question);

/* For implementations of write: the sink from output; null: write nothing. */
const struct table_sink *question_get_sink(
	const struct question_output *output, struct question *question, struct trace *trace, const struct clock_map *clock);
/* "--" if parameters are options, else "". */
const char *question_get_option_prefix(const struct question *question);
/* Adds the error that memory ran out. Always returns false. */
bool question_report_no_memory(const struct trace *trace);

#endif
