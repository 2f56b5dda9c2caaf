/* longest: the slowest calls of a function, out of a file, in two passes: which they are, and what each of them did. */
#ifndef DWELL_HOST_QUERY_LONGEST_H
#define DWELL_HOST_QUERY_LONGEST_H

#include <stdbool.h>

#include "analysis/by.h"
#include "analysis/calls/slowest.h"
#include "query/trace.h"

struct longest {
	const char *function, *thread; /* as they were asked for; thread: null: all */
	size_t count;       /* of calls, at the most */
	enum by by;
	bool args; /* with the values of these calls */
	uint64_t longer_ns; /* it is known that there are enough that took as long: makes it quicker; 0: not known */

	struct slowest *slowest; /* the answer */
	struct pattern *pattern;
	struct diag *diag;
	const struct model *second; /* of the second pass */
};

/* trace: was opened, and is read now. False and a diag when there is no such call, or it cannot be read twice. longest_clear in any
 * case. */
bool longest_find(struct longest *longest, struct trace *trace);
void longest_clear(struct longest *longest);

#endif
