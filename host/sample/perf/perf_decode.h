/* perf_decode: one buffer that the kernel fills, and what its records say. */
#ifndef DWELL_HOST_SAMPLE_PERF_PERF_DECODE_H
#define DWELL_HOST_SAMPLE_PERF_PERF_DECODE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/perf/perf_record.h"

struct perf_ring {
	int fd; /* of the event that it belongs to */
	struct perf_event_mmap_page *page; /* null: none */
	uint8_t *data;
	uint64_t bytes;  /* a power of two */
	bool has_chains; /* samples have the kernel's callers, if they have more than where they are */
	uint64_t tail, head; /* tail: what was taken; head: as it was last looked at */
	uint64_t damaged; /* so often what was in it made no sense, and was left out */
	uint64_t next_ns; /* of the record that perf_ring_peek found */
};

/* Memory for one record. Zero it before the first use. */
struct perf_scratch {
	uint8_t *data;
	size_t capacity;
};
void perf_scratch_clear(struct perf_scratch *scratch);

/* False and errno: so much cannot be had. */
bool perf_ring_map(struct perf_ring *ring, uint64_t bytes);
void perf_ring_unmap(struct perf_ring *ring);
/* And the event. */
void perf_ring_close(struct perf_ring *ring);

/* Whether there is a record. */
bool perf_ring_peek(struct perf_ring *ring);
/* Takes it. False: it is of a kind that nobody asks for, or makes no sense. */
bool perf_ring_take(struct perf_ring *ring, struct perf_scratch *scratch, struct perf_record *record);

#endif
