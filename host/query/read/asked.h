/* asked: the questions of dwell/read.h, and their parameters as text, read into what query/ works with. */
#ifndef DWELL_HOST_QUERY_READ_ASKED_H
#define DWELL_HOST_QUERY_READ_ASKED_H

#include <stdbool.h>
#include <stddef.h>

#include "dwell/read.h"
#include "query/call_list.h"
#include "query/comparison.h"
#include "query/question.h"
#include "util/diag.h"

enum asked_kind { ASKED_PROFILE, ASKED_CALLS, ASKED_SLOWEST, ASKED_DIFF, ASKED_INFO };

struct asked {
	enum asked_kind kind;
	struct question question; /* texts are borrowed from the parameters */
	struct call_filter filter;
	bool by_exit, args;
	bool has_measure; /* of a diff: else as comparison_get_best has it */
	enum diff_measure measure;
	double level;
};

/* Index from 0 on; null behind the last. */
const struct dwell_question *asked_get_question(size_t index);

/* False and a diag: there is no such question, or a parameter is wrong. */
bool asked_read(struct asked *asked, const char *name, const struct dwell_parameter *parameters, size_t count, struct diag *diag);

#endif
