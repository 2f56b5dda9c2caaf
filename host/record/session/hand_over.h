/* hand_over: gives a process descriptors of files that dwell shares, if the process may not open these files.
 *
 * An agent opens a session, and the session's files, as /proc/PID/fd/N of dwell. A server that has
 * dropped its rights may not read /proc/PID/fd of a dwell that runs as root; in another PID namespace
 * dwell has another number, or none. Such a process gets descriptors of its own, and their names. */
#ifndef DWELL_HOST_RECORD_SESSION_HAND_OVER_H
#define DWELL_HOST_RECORD_SESSION_HAND_OVER_H

#include <stdbool.h>
#include <sys/types.h>

#include "record/remote/remote_call.h"
#include "record/session/control.h"
#include "record/session/session.h"

struct hand_over {
	int theirs[REMOTE_DESCRIPTORS_MAX]; /* copies of dwell's descriptors, by their numbers in the process */
	unsigned count;
	char name[DWELL_CONTROL_PATH_BYTES]; /* the session's name for the process */
};

/* Whether the process cannot, or perhaps cannot, open dwell's files as /proc/PID/fd/N with dwell's own pid. */
bool hand_over_is_needed(const struct control *control);
/* Hands over all files of the session, if needed. Sets over->name to the session's name for the
 * process, and changes the names of the files in the session's header accordingly. */
enum remote_problem hand_over_session(struct hand_over *over, struct control *control, struct session *session);
/* Hands over one more file, for reading. Writes the file's name for the process to name, which has room for 32 bytes.
 * REMOTE_NO_ROOM also if dwell itself cannot open path. */
enum remote_problem hand_over_file(struct hand_over *over, struct control *control, const char *path, char *name);
/* Closes all descriptors that were handed over, in the process. */
void hand_over_end(struct hand_over *over, struct control *control);

#endif
