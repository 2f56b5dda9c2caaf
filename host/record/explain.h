/* explain: why a program that ran to its end left nothing to report. */
#ifndef DWELL_HOST_RECORD_EXPLAIN_H
#define DWELL_HOST_RECORD_EXPLAIN_H

#include "record/session.h"
#include "util/diag.h"

/* Says why no event was recorded, and what to do about it. path: the program's file. */
void explain_nothing(const struct session *session, const char *path, struct diag *diag);

#endif
