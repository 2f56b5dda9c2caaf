/* inject: records the calls of a running process that has neither hooks nor an agent (`dwell attach --trace`). In this order:
 *
 *     inject_agent           a thread of the process loads the agent, as dlopen does
 *     inject_join_session    the agent joins the session, requests plans, and prepares the changes that they list
 *     inject_changes         dwell stops all threads and makes the changes that the agent has prepared
 *     inject_restore         dwell writes the old bytes back
 *     inject_leave_session   the agent leaves the session and unmaps the session's memory. The library and its preparations stay
 */
#ifndef DWELL_HOST_RECORD_SESSION_INJECT_H
#define DWELL_HOST_RECORD_SESSION_INJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/remote/remote_thread.h"
#include "record/session/control.h"
#include "util/diag.h"

/* Adds a diag that explains the problem. Returns false. */
bool inject_explain(const char *name, enum remote_problem problem, struct diag *diag);
/* Loads the agent. name: of the process, for messages; agent: path of
 * the library. False: a diag explains the problem and what to do. */
bool inject_agent(struct remote_image *image, const char *name, const char *agent, struct diag *diag);
/* After control_request: waits until the process has joined. Until then calls meanwhile, which must answer the agent's requests. */
bool inject_join_session(
	struct control *control, const char *name, void (*meanwhile)(void *context), void *context, struct diag *diag);
/* Makes the changes. False: a diag explains the problem. *changed: whether inject_restore must follow, also if dwell made only
 * a part of the changes. */
bool inject_changes(struct control *control, const char *name, bool *changed, struct diag *diag);
/* Writes the old bytes back. Adds a diag if dwell cannot stop the threads; none if the process has ended. */
void inject_restore(struct control *control, const char *name, struct diag *diag);
/* Call after the session was closed and its events were read. After a failure, the next session repeats the release. */
void inject_leave_session(struct control *control);

#endif
