/* perf_map: reads names of generated code from a file that the program wrote, mostly /tmp/perf-PID.map: a line for each function,
 * "START SIZE NAME", numbers in hex. The file may be forged: anyone can put a file into /tmp. */
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

#define PERF_MAP_BYTES_MAX (UINT64_C(1) << 30) /* further bytes are not read */
#define PERF_MAP_LINE_BYTES 65536u             /* a longer line is malformed */
#define PERF_MAP_FUNCTIONS_MAX (1u << 20)      /* sampled functions; further lines are not read */
#define PERF_MAP_TEXT_MAX (UINT64_C(1) << 26)  /* bytes of their names, likewise */

/* Zero it before the first use, clear it after the last. */
struct perf_map {
	/* Functions that hold requested addresses. Where two overlap, the program wrote the later one's code last. */
	struct message_name *names;
	size_t count;
	uint64_t named;   /* addresses with a name */
	uint64_t doubled; /* addresses with several functions over time; the last function names the address */
	uint64_t bad_lines, bad_number, bad_offset; /* number of malformed lines; line (from 1) and offset of the first */
	char bad_text[40]; /* the beginning of the first malformed line */
	bool is_cut;      /* the file has more than the limits above */
	/* internal */
	size_t capacity;
	uint64_t text_bytes;
};

/* Opens the map. Null: errno has the reason; or errno is 0 and why is set: the file belongs to another user than owner, is older
 * than since (CLOCK_REALTIME), or is no regular file. */
FILE *perf_map_open(const char *path, uid_t owner, struct timespec since, char why[static 100]);
/* Reads the names for the addresses, and sorts the addresses. Ignores
 * a last line without a newline, which may be cut. False: no memory. */
bool perf_map_read(struct perf_map *map, FILE *file, struct address_set *addresses);
void perf_map_clear(struct perf_map *map);

#endif
