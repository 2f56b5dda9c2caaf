/* result_file: where is written what somebody wants in a file: whole, or not at all. */
#ifndef DWELL_HOST_UTIL_RESULT_FILE_H
#define DWELL_HOST_UTIL_RESULT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "util/diag.h"

struct result_file {
	FILE *out;        /* write there */
	const char *name; /* for messages */
	char *path;       /* that it will have; null: it has it already */
	char *temporary;  /* see aside.h */
};

/* path: null or "-": standard output. What is no regular file (a device, a pipe) is written to as it is. False and a diag when it cannot be. */
bool result_file_open(struct result_file *file, const char *path, struct diag *diag);
/* good: all is written, and what had that name goes; else what is written goes. False: it is not there, and a diag says why, or was not
 * good. */
bool result_file_close(struct result_file *file, bool good, struct diag *diag);

#endif
