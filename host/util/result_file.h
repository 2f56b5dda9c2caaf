/* result_file: an output file that is written completely or not at all. */
#ifndef DWELL_HOST_UTIL_RESULT_FILE_H
#define DWELL_HOST_UTIL_RESULT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "util/diag.h"

struct result_file {
	FILE *out;        /* the stream to write to */
	const char *name; /* for messages */
	char *path;       /* final name; null: the file has that name already */
	char *temporary;  /* name for hidden_file_drop, or null */
};

/* Opens an output; path null or "-": standard output. Writes directly to anything but a regular file
 * (a device, a pipe). Returns false and adds a diag on failure. */
bool result_file_open(struct result_file *file, const char *path, struct diag *diag);
/* good: the output is complete, and replaces an existing file of that name. Not good: discards the output. Returns false
 * if there is no complete file: a diag gives the reason, unless good was false. */
bool result_file_close(struct result_file *file, bool good, struct diag *diag);

#endif
