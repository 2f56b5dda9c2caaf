/* newest_recording: the recording that a command reads if its command line has no file. */
#ifndef DWELL_HOST_CLI_NEWEST_RECORDING_H
#define DWELL_HOST_CLI_NEWEST_RECORDING_H

#include "util/diag.h"

/* Returns the newest recording in the current folder, by the time of its last change: a regular file named *.dwell, or *.dwell.1 as
 * snapshots are. Of files that are equally new, the last one by name. Adds a note that names the recording. Null: there is
 * none. The name stays valid until the next call. */
const char *newest_recording_find(struct diag *diag);

#endif
