/* parameters: the list of questions for dwell/read.h, and the reading of parameters from texts. Both use
 * the rows of query/questions.h. */
#ifndef DWELL_HOST_QUERY_READ_PARAMETERS_H
#define DWELL_HOST_QUERY_READ_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "dwell/read.h"
#include "query/question.h"
#include "util/diag.h"

/* index: from 0; null: beyond the last question. */
const struct dwell_question *parameters_get_question(size_t index);

/* Null with a diag: no question has this name. */
const struct question_type *parameters_find_type(const char *name, struct diag *diag);

/* Sets the parameters of a question that was begun. Texts are borrowed. False with a diag: a parameter is wrong or missing. */
bool parameters_read(struct question *question, const struct dwell_parameter *parameters, size_t count, struct diag *diag);

#endif
