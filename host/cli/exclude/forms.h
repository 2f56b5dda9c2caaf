/* exclude_forms: a list of functions, as compilers take it. */
#ifndef DWELL_HOST_CLI_EXCLUDE_FORMS_H
#define DWELL_HOST_CLI_EXCLUDE_FORMS_H

#include <stdio.h>

#include "cli/exclude/exclude.h"

struct excluded {
	uint32_t id;
	uint64_t calls;
	double ticks; /* what recording it cost */
};

/* Not EXCLUDE_RECORD. names: make_exclude_names of the list; what cannot be said is null, then. Returns how many are in it. */
size_t exclude_write_form(
	FILE *out, const struct trace *trace, const struct excluded *list, char **names, size_t count, enum exclude_form form);
/* How it is used. */
const char *exclude_form_use(enum exclude_form form);

#endif
