/* snapshot: requests a snapshot from the dwell that records a process: of the rings of all processes in that recording. Recording
 * and processes go on. */
#ifndef DWELL_HOST_RECORD_SINK_SNAPSHOT_H
#define DWELL_HOST_RECORD_SINK_SNAPSHOT_H

#include <sys/types.h>

#include "util/diag.h"

/* Takes a snapshot of the recording that has process pid, or, if pid is a recording dwell, of dwell's recording. agent: the library
 * to preload, for messages. Waits for the file, and returns its name, which the caller frees. Null and a diag: no snapshot. Null
 * alone: no memory for the name; the snapshot is there. */
char *snapshot_take(pid_t pid, const char *agent, struct diag *diag);

#endif
