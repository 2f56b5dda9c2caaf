/* trace_file: chooses the name of the trace file, and puts earlier recordings aside. */
#ifndef DWELL_HOST_RECORD_SINK_TRACE_FILE_H
#define DWELL_HOST_RECORD_SINK_TRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"

struct trace_file {
	char *path;  /* of the trace file */
	char *old;   /* new path of the earlier recording; null: none, or the user named the file */
	char *older; /* new path of the recording before the earlier recording, until this recording is safe; null: none */
};

/* The results of a recording, for the line at its end. Zero it before the first use; recorded_clear frees its texts. */
struct recorded {
	char *path; /* null: no file */
	uint64_t count; /* entries and exits of functions, or samples, in the file */
	uint64_t ns; /* from the start of the recording to its end, in nanoseconds */
	char *slow_path, *slow_function; /* the first snapshot for a slow call, and the call's function; null: none */
};
void recorded_clear(struct recorded *recorded);

/* wanted: the user's name for the file; null: PROGRAM.dwell in this folder, and an earlier PROGRAM.dwell becomes PROGRAM.dwell.old.
 * False and a diag: the earlier file cannot be put aside, or no memory, and nothing has changed. Call trace_file_end in either
 * case. */
bool trace_file_begin(struct trace_file *file, const char *wanted, const char *program, struct diag *diag);
/* The recording is safe: the earlier recording stays at .old, and the recording before the earlier one is deleted. */
void trace_file_commit(struct trace_file *file);
/* Clears *to, and fills in a copy of the file's path, count and ns. to null: does nothing. */
void trace_file_get_result(const struct trace_file *file, uint64_t count, uint64_t ns, struct recorded *to);
/* There is no recording: deletes the file if remove, and restores the earlier files. */
void trace_file_roll_back(struct trace_file *file, bool remove);
/* Frees the names. */
void trace_file_end(struct trace_file *file);

#endif
