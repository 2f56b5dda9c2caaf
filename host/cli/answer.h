/* answer: writes a question's answer to standard output: lines for people above the table, the table, and lines below. For commands
 * that ask a question. */
#ifndef DWELL_HOST_CLI_ANSWER_H
#define DWELL_HOST_CLI_ANSWER_H

#include "cli/output.h"
#include "query/question.h"
#include "writer/writer.h"

struct answer;
/* Prints above the table. */
typedef void answer_print(const struct trace *trace, const struct question *question);
/* Prints below the table. output_shows(table, …) returns whether a column is in the table, and so needs an explanation. */
typedef void answer_print_below(const struct trace *trace, const struct question *question, const struct output_table *table);

/* A command's additions to its answers. Null: nothing. */
struct answer_texts {
	answer_print *print_head;       /* above the table, for people */
	answer_print_below *print_foot; /* below the table, for people */
	/* For people: replaces the table and the lines around the table. */
	void (*print)(struct answer *answer, struct trace *trace);
	/* In any form, --csv and --json included: adds notes and warnings to the trace's diag. */
	void (*add_notes)(const struct trace *trace, const struct question *question);
	const char *row; /* the noun for the rows that --limit leaves out: "function"; null: "line" */
};

struct answer {
	struct question *question;
	const struct answer_texts *texts;
	enum writer_form form;
	bool full_names;

	/* Internal. */
	struct output_table out;
	bool has_out; /* the table was begun */
};

/* Reads the recording, answers, and clears the question and the trace. Set the trace's input and jobs
 * before. Errors go to the diag. */
void answer_show(struct answer *answer, struct trace *trace, const char *path);

/* Answers a question that has been read. The question and the trace stay valid. */
void answer_write(struct answer *answer, struct trace *trace);

/* For texts->print: begins a table, and returns its sink. answer_write ends the table. */
const struct table_sink *answer_begin_table(struct answer *answer, const struct trace *trace, const struct clock_map *clock);

#endif
