/* perf_map: names of code that a program made while it ran, as it wrote them itself, mostly to /tmp/perf-PID.map: a line for each function,
 * "START SIZE NAME", numbers in hex. Nobody vouches for such a file: in /tmp anybody can put one. */
#ifndef DWELL_HOST_SAMPLE_CODE_PERF_MAP_H
#define DWELL_HOST_SAMPLE_CODE_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

#include "reader/message.h"
#include "record/sink/address_set.h"

#define PERF_MAP_BYTES_MAX (UINT64_C(1) << 30) /* what is behind is not read */
#define PERF_MAP_LINE_BYTES 65536u             /* a longer line is a bad one */
#define PERF_MAP_FUNCTIONS_MAX (1u << 20)      /* that were sampled; what follows is not read */
#define PERF_MAP_TEXT_MAX (UINT64_C(1) << 26)  /* bytes of their names, likewise */

/* Zero it before the first use, clear it after the last. */
struct perf_map {
	struct message_name *names; /* of functions that hold addresses which were asked for. They may overlap: the later in the file was
	                               there later */
	size_t count;
	uint64_t named;   /* of the addresses */
	uint64_t doubled; /* of those named: several functions have been there, at some time; the last one names it */
	uint64_t bad_lines, bad_number, bad_offset; /* how many, and where the first one is: lines count from 1 */
	char bad_text[40]; /* its beginning */
	bool is_cut;      /* there was more than is read */
	/* own */
	size_t capacity;
	uint64_t text_bytes;
};

/* Opens the map. Null, and errno tells why; or that is 0, and why is set: it is not of the user owner, of a time before since (seconds and
 * nanoseconds of CLOCK_REALTIME), or no regular file. */
FILE *perf_map_open(const char *path, uid_t owner, struct timespec since, char why[static 100]);
/* Takes what the file says of these addresses, which are sorted meanwhile. A last line without an end is left out: it may be cut. False: no
 * memory. */
bool perf_map_read(struct perf_map *map, FILE *file, struct address_set *addresses);
void perf_map_clear(struct perf_map *map);

#endif
