/* held: the recorded functions' share of the CPU time, and the files that have the rest. From samples that the recorder took
 * besides the calls (CPU_PLACES). The samples leave out kernel time and the time of recording. */
#ifndef DWELL_HOST_QUERY_HELD_H
#define DWELL_HOST_QUERY_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "query/trace.h"

struct held_file {
	/* Borrowed from the trace. Null: code in no file, generated while the program ran; or dwell's own code, if the process had
	 * ended before the recorder looked. */
	const char *path;
	uint64_t samples, recorded; /* numbers of samples; recorded: in functions with recorded times */
	bool is_recorded;  /* at least one function of the file was recorded */
};
/* With fewer samples the share is unknown, unless the samples suffice to show that the share is below half. */
#define HELD_SAMPLES_MIN 20u
struct held {
	uint64_t samples, recorded; /* sums over all files and other_processes */
	uint64_t other_processes; /* samples in programs without an agent */
	struct held_file *files;  /* the file with the most unrecorded samples first */
	size_t count, capacity;
};

/* pre: the trace is read. Without samples everything is 0. Call held_clear afterwards. */
void held_find(const struct trace *trace, struct held *held);
void held_clear(struct held *held);

/* Percentage of the CPU time in functions that were not recorded; 0: close to none, or unknown. */
unsigned held_get_missing(const struct held *held);
/* "recorded functions hold about 3 % of the CPU time outside of the kernel; about 92 % is in
 * libguile-3.0.so.1 (to record it: …)" */
#define HELD_TEXT_BYTES 300
void held_say(const struct trace *trace, const struct held *held, char text[static HELD_TEXT_BYTES]);

#endif
