/* trace_file: what the trace file is called, and what becomes of the recordings that were there before. */
#ifndef DWELL_HOST_RECORD_SINK_TRACE_FILE_H
#define DWELL_HOST_RECORD_SINK_TRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"

struct trace_file {
	char *path;  /* of the trace file */
	char *old;   /* where the recording before is now; null: there was none, or the user named the file */
	char *older; /* where that one's .old is as long as this recording may still come to nothing; null: there was none */
};

/* What came of a recording, for the line that ends it. Zero it before; free path afterwards. */
struct recorded {
	char *path; /* null: there is no file */
	uint64_t count; /* entries and exits of functions, or samples, in the file */
	uint64_t ns; /* from the start of the recording to its end */
	char *slow_path, *slow_function; /* the first snapshot for a call that took too long, and that call; null: there is none */
};
void recorded_clear(struct recorded *recorded);

/* wanted: as the user said; null: PROGRAM.dwell in this folder, and one that is there becomes PROGRAM.dwell.old. False and a diag when an
 * earlier one cannot be put aside: nothing was changed then. */
bool trace_file_begin(struct trace_file *file, const char *wanted, const char *program, struct diag *diag);
/* To be called before a file of that name is made: if it is that of a ring or linear recording, it loses its name. A program may have it
 * mapped and go on recording into it, also when its dwell was killed; emptied, it would be the death of that program (SIGBUS). */
void trace_file_let_go(const char *path);

/* There is a recording: the one before stays aside, the one before that goes. */
void trace_file_keep(struct trace_file *file);
/* to may be null: nobody wants to know. */
void trace_file_tell(const struct trace_file *file, uint64_t count, uint64_t ns, struct recorded *to);
/* There is none: the file goes if remove, and the earlier ones are as they were. */
void trace_file_undo(struct trace_file *file, bool remove);
void trace_file_end(struct trace_file *file);

#endif
