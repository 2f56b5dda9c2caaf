/* inject: records the calls of a running process that needs neither hooks nor an agent (`dwell attach --trace`). In this order:
 *
 *     inject_agent           a thread of the process calls dlopen, which loads the agent
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
/* After control_request: makes a thread of the process call the agent, and waits until the agent has handled the request. Until
 * then calls meanwhile, which must answer the agent's requests for plans. False, and a diag: the call failed. True: the
 * control block has the agent's answer, which may be an error. */
bool inject_join_session(
	struct control *control, const char *name, void (*meanwhile)(void *context), void *context, struct diag *diag);
/* Makes the changes. False: a diag explains the problem. *changed: whether inject_restore must follow, also after false: dwell
 * may have made a part of the changes. */
bool inject_changes(struct control *control, const char *name, bool *changed, struct diag *diag);
/* Writes the old bytes back. Adds a diag if dwell cannot stop the threads; none if the process has ended, or runs another
 * program. Tries for up to a minute while the kernel holds a thread. */
void inject_restore(struct control *control, const char *name, struct diag *diag);
/* Call after the session was closed and its events were read. After a failure, the next session repeats the release. */
void inject_leave_session(struct control *control);

#endif
