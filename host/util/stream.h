/* The end of an output stream: whether all that was written has arrived. */
#ifndef DWELL_HOST_UTIL_STREAM_H
#define DWELL_HOST_UTIL_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "util/diag.h"

/* Flushes. False and an error diag when something could not be written (a full disk); said once: what is stuck is dropped and the
 * stream is usable again. A reader that went away (EPIPE: `dwell report x | head -1`) is false too, but nobody's error and no diag.
 * error: errno of a write that failed before, 0 when none did or nobody knows. name is for the message ("standard output"). */
bool stream_finish(FILE *stream, int error, const char *name, struct diag *diag);

#endif
