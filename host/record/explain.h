/* explain: why a program that ran to its end left nothing to report. */
#ifndef DWELL_HOST_RECORD_EXPLAIN_H
#define DWELL_HOST_RECORD_EXPLAIN_H

#include <stdbool.h>

#include "record/session.h"
#include "util/diag.h"

/* Says why no event was recorded, and what to do about it. path: the program's file. attached: it ran already. */
void explain_nothing(const struct session *session, const char *path, bool attached, struct diag *diag);

/* Whether the file asks for no dynamic linker: then it can be given no agent from outside. */
bool explain_is_static(const char *path);
/* Whether it speaks of hooks anywhere. */
bool explain_has_hooks(const char *path);

#endif
