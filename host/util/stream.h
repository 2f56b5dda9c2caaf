/* The end of an output stream: whether all that was written has arrived. */
#ifndef DWELL_HOST_UTIL_STREAM_H
#define DWELL_HOST_UTIL_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "util/diag.h"

/* Flushes. False and an error diag when something could not be written (a full disk); said once: what is stuck is dropped and the stream
 * is usable again. A reader that went away (EPIPE: `dwell report x | head -1`) is false too, but nobody's error and no diag.
 * name is for the message ("standard output"). */
bool stream_finish(FILE *stream, const char *name, struct diag *diag);

#endif
