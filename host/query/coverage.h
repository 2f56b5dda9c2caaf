/* coverage: the recorded functions' share of the CPU time, and the files that have the rest. From samples that the recorder took
 * besides the calls (CPU_PLACES). The samples leave out kernel time and the time of recording. */
#ifndef DWELL_HOST_QUERY_COVERAGE_H
#define DWELL_HOST_QUERY_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "query/trace.h"

struct coverage_file {
	/* Borrowed from the trace. Null: code in no file, generated while the program ran; or dwell's own code, if the process had
	 * ended before the recorder looked. */
	const char *path;
	uint64_t samples, recorded; /* numbers of samples; recorded: in functions with recorded times */
	bool is_recorded;  /* at least one function of the file was recorded */
};
/* With fewer samples the share is unknown, unless the samples suffice to show that the share is below half. */
#define COVERAGE_SAMPLES_MIN 20u
struct coverage {
	uint64_t samples, recorded; /* sums over all files and other_processes */
	uint64_t other_processes; /* samples in programs without an agent */
	struct coverage_file *files;  /* the file with the most unrecorded samples first */
	size_t count, capacity;
};

/* pre: the trace is read. Without samples everything is 0. Call coverage_clear afterwards. */
void coverage_find(const struct trace *trace, struct coverage *coverage);
void coverage_clear(struct coverage *coverage);

/* Percentage of the CPU time in functions that were not recorded; 0: close to none, or unknown. */
unsigned coverage_get_missing(const struct coverage *coverage);
/* "recorded functions hold about 3 % of the CPU time outside of the kernel; about 92 % is in
 * libguile-3.0.so.1 (to record it: …)" */
#define COVERAGE_TEXT_BYTES 300
void coverage_format(const struct trace *trace, const struct coverage *coverage, char text[static COVERAGE_TEXT_BYTES]);

#endif
