/* may_bring: whether the agent can be brought into a process that runs, told beforehand: what would be tried in vain may harm it. */
#ifndef DWELL_HOST_RECORD_SESSION_MAY_BRING_H
#define DWELL_HOST_RECORD_SESSION_MAY_BRING_H

#include <stdbool.h>
#include <sys/types.h>

#include "util/diag.h"

/* name: of the process, for messages; agent: the library. False and a diag that says what is in the way, and what to do. */
bool may_bring(pid_t pid, const char *name, const char *agent, struct diag *diag);

#endif
