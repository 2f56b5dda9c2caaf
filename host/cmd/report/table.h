/* table: the functions of a recording as dwell report has them, with what stands above and below. */
#ifndef DWELL_HOST_CMD_REPORT_TABLE_H
#define DWELL_HOST_CMD_REPORT_TABLE_H

#include <stdbool.h>

#include "query/question.h"
#include "writer/writer.h"

struct report_form {
	enum writer_form form;
	bool lines, full_names;
};

/* To standard output. question: of functions; the trace is read. What is wrong is a diag. */
void report_write_table(struct question *question, struct trace *trace, const struct report_form *form);

#endif
