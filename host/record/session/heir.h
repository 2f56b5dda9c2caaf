/* heir: a process that writes a ring or linear recording to its file after `dwell record` was killed. The rings are in memory
 * without a name, so no process can shorten them under the program. The kernel frees such memory with its last user, so the
 * heir, too, has the memory open. */
#ifndef DWELL_HOST_RECORD_SESSION_HEIR_H
#define DWELL_HOST_RECORD_SESSION_HEIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct heir {
	pid_t pid; /* of the heir; its descriptors are the same as record's */
	/* Write end of a pipe to the heir. A byte ends the heir. If the pipe closes without a byte,
	 * record was killed, and the heir writes the file. */
	int lifeline;
};

/* Starts an heir that has the session's memory open as fd. shared: the memory's mapping in this
 * process, of bytes. The heir waits until this process has ended, and then until no program has the
 * session mapped for writing. Then the heir writes the session file to path. False: the system permits no further
 * process or pipe. */
bool heir_begin(struct heir *heir, int fd, void *shared, uint64_t bytes, const char *path);
/* Ends the heir, which then writes nothing. */
void heir_end(struct heir *heir);

/* Writes the session's memory, bytes of fd, as a session file to path. False and errno: not written, and a file that exists at
 * path is unchanged. */
bool session_save(int fd, uint64_t bytes, const char *path);

#endif
