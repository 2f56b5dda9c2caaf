/* A line on standard error while something takes longer than a second: on a terminal only, gone at the end.
 *
 *     struct progress progress;
 *     progress_begin(&progress, "reading app.dwell", size);
 *     while (…)
 *             progress_update(&progress, done);
 *     progress_end(&progress);
 */
#ifndef DWELL_HOST_UTIL_PROGRESS_H
#define DWELL_HOST_UTIL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *out; /* null: nobody watches */
	const char *what;
	uint64_t total;
	uint64_t begin_ns, next_ns;
	bool shown;
};

/* what is borrowed until the end. total: how many bytes there are to do, 0 or UINT64_MAX when unknown (a pipe). */
void progress_begin(struct progress *progress, const char *what, uint64_t total);
/* done: bytes so far. Cheap (25 ns), for every chunk; not for every event. */
void progress_update(struct progress *progress, uint64_t done);
/* Clears the line. Also before anything else is printed to the same terminal. */
void progress_end(struct progress *progress);

/* As progress_begin, on any stream: for tests. */
void progress_begin_on(struct progress *progress, FILE *out, const char *what, uint64_t total);

#endif
