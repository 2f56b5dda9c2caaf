/* bring: recording the calls of a process that runs already and has no hooks, and no agent either.
 *
 *     bring_agent    a thread of the process loads the agent, as dlopen does
 *     bring_attend   and has it join the session; it asks for plans, and prepares what they say
 *     bring_change   all threads are stopped, and the places change that the agent has prepared
 *     bring_change_back  they have their old bytes again
 *     bring_release  the agent leaves the session, and what was mapped for it is unmapped. The library stays, and what it has prepared */
#ifndef DWELL_HOST_RECORD_SESSION_BRING_H
#define DWELL_HOST_RECORD_SESSION_BRING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/session/control.h"
#include "util/diag.h"

/* name: of the process, for messages; agent: the library. False and a diag that says what is in the way, and what to do. */
bool bring_agent(pid_t pid, const char *name, const char *agent, struct diag *diag);
/* A request was made (control_request). meanwhile is called while the process does it, and answers what the agent asks. */
bool bring_attend(const struct control *control, const char *name, void (*meanwhile)(void *context), void *context, struct diag *diag);
bool bring_change(struct control *control, const char *name, struct diag *diag);
/* A diag where that cannot be done. */
void bring_change_back(struct control *control, const char *name, struct diag *diag);
/* The session is closed, and its events were read. Where that cannot be done, the next session does it. */
void bring_release(struct control *control);

#endif
