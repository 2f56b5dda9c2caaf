/* lateness: estimates how late this process may get a processor while other threads use all processors. The buffers need room for
 * the samples taken during the delay. */
#ifndef DWELL_HOST_SAMPLE_LATENESS_H
#define DWELL_HOST_SAMPLE_LATENESS_H

#include <stdint.h>

/* Zero it before the first use, clear it after the last. */
struct lateness {
	uint64_t expected_ns; /* the present estimate */
	uint64_t load_ns; /* when lateness last read the number of runnable threads */
	int fd;            /* of /proc/loadavg, plus 1; 0: not open yet */
};

/* Notes that the process planned to continue at wanted_ns, and continues at now_ns. Both CLOCK_MONOTONIC. */
void lateness_note(struct lateness *lateness, uint64_t wanted_ns, uint64_t now_ns);
/* Returns the expected lateness in ns, from the latest notes, and from the number of runnable threads, which take turns on the
 * processors. */
uint64_t lateness_expect(struct lateness *lateness, uint64_t now_ns);
void lateness_clear(struct lateness *lateness);

#endif
