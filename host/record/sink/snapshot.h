/* snapshot: requests a snapshot of a process's rings from the dwell that records the process. Recording and process go on. */
#ifndef DWELL_HOST_RECORD_SINK_SNAPSHOT_H
#define DWELL_HOST_RECORD_SINK_SNAPSHOT_H

#include <sys/types.h>

#include "util/diag.h"

/* Takes a snapshot of process pid, or, if pid is a recording dwell, of its program. agent: the library to preload, for messages.
 * Waits for the file, and returns its name, which the caller frees. Null and a diag: no snapshot. */
char *snapshot_take(pid_t pid, const char *agent, struct diag *diag);

#endif
