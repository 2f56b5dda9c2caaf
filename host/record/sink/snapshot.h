/* snapshot: asks whoever records a process for a file of what its rings hold now. Both go on. */
#ifndef DWELL_HOST_RECORD_SINK_SNAPSHOT_H
#define DWELL_HOST_RECORD_SINK_SNAPSHOT_H

#include <sys/types.h>

#include "util/diag.h"

/* Of the process pid, or of what the dwell with that number records; agent: the library to preload, as messages say it. Waits for the file,
 * and returns its name, which is the caller's. Null and a diag: there is none. */
char *snapshot_take(pid_t pid, const char *agent, struct diag *diag);

#endif
