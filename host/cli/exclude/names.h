/* exclude_names: what functions of a list are called by who is told to leave them out, and what else is called so. */
#ifndef DWELL_HOST_CLI_EXCLUDE_NAMES_H
#define DWELL_HOST_CLI_EXCLUDE_NAMES_H

#include <stdbool.h>

#include "cli/exclude/forms.h"

/* A name each; null for what cannot be said in that form. Null: no memory. */
char **make_exclude_names(struct functions *functions, const struct excluded *list, size_t count, enum exclude_form form);
void free_exclude_names(char **names, size_t count);

/* Whether one before it is the same. */
bool exclude_is_told(char *const *names, size_t index);

/* Says which other functions of the trace would be left out with them. */
void exclude_tell_others(
	const struct trace *trace, const struct excluded *list, char *const *names, size_t count, enum exclude_form form);

#endif
