/* stream: ends an output stream and checks that everything written has arrived. */
#ifndef DWELL_HOST_UTIL_STREAM_H
#define DWELL_HOST_UTIL_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "util/diag.h"

/* Flushes the stream, and leaves it open. Returns false and adds an error diag if a write failed (a full disk). Then
 * drops the stuck bytes, so that the error is reported once and the stream is usable again. If the reader went away
 * (EPIPE: `dwell report x | head -1`), returns false without a diag, because that is no error. error: errno of an
 * earlier failed write; 0: none or unknown. name is for the message ("standard output"). */
bool stream_finish(FILE *stream, int error, const char *name, struct diag *diag);

#endif
