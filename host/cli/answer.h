/* answer: a question's answer on standard output: what a command prints above its table, the table, and what it prints below. */
#ifndef DWELL_HOST_CLI_ANSWER_H
#define DWELL_HOST_CLI_ANSWER_H

#include "cli/output.h"
#include "query/question.h"
#include "writer/writer.h"

typedef void answer_print(const struct trace *trace, const struct question *question);
/* Below the table: output_shows tells which columns there are to explain. */
typedef void answer_print_below(const struct trace *trace, const struct question *question, const struct output_table *table);

struct answer {
	struct question question;
	enum writer_form form;
	bool lines, full_names;
	answer_print *print_head; /* for people; null: nothing */
	answer_print_below *print_foot; /* likewise */
};

/* The trace's input and jobs are set. What is wrong is a diag. Clears both. */
void answer_show(struct answer *answer, struct trace *trace, const char *path);

/* Likewise of a question and a trace that are read, which stay as they are. */
void answer_write(struct answer *answer, struct trace *trace);

#endif
