/* perf_ring: the kernel's buffer of perf events for one CPU, and the records fetched from there but not yet taken.
 *
 * The kernel's buffer is locked memory, so the buffer is small, and the kernel drops records while the buffer is full. Taking a
 * sample is slow: unwinding its stack may need tables to be read. So another thread may fetch records meanwhile
 * (sample/perf/perf_fetcher.h). Only one thread takes records. */
#ifndef DWELL_HOST_PERF_PERF_RING_H
#define DWELL_HOST_PERF_PERF_RING_H

#include <linux/perf_event.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_HEADER_BYTES sizeof(struct perf_event_header)

/* The least bytes of each record after its header. A sample begins with ip, pid, tid and time, then the other fields requested when
 * the events were opened. Every other record ends with a trailer: pid, tid, time, and the event's number if requested. */
struct perf_layout {
	uint32_t sample_bytes, trailer_bytes; /* minimum bytes of a sample; bytes of the trailer of other records */
};

/* A record without its header, and without the trailer (samples have no trailer). */
struct perf_fields {
	uint32_t type; /* PERF_RECORD_… */
	uint16_t misc;
	uint32_t pid, tid; /* the thread of the event */
	uint64_t ns;
	const uint8_t *begin, *end; /* the fields themselves; valid until the next perf_ring_peek */
	uint64_t lost; /* PERF_RECORD_LOST, LOST_SAMPLES: the number of lost records; 1 if the record has none. Other types: 0 */
};

struct perf_ring {
	int fd; /* the event to which the buffer belongs */
	struct perf_event_mmap_page *page; /* null: not mapped */
	uint8_t *data;
	uint64_t bytes;  /* a power of two */
	struct perf_layout layout;
	bool has_chains; /* samples may contain the kernel's callers */
	pthread_mutex_t lock; /* held while fetching */
	uint64_t fetched;     /* position up to which records were fetched */
	uint8_t *kept;
	uint64_t kept_bytes; /* a power of two, at least bytes */
	uint64_t head, tail; /* end of the fetched records; end of the taken records */
	uint64_t next_ns;    /* time of the record found by perf_ring_peek */
	uint64_t in_use;     /* bytes after tail, taken last and still being read */
	uint8_t *whole;      /* a copy of a record that wraps from the end of kept to the start */
	size_t whole_capacity;
	uint64_t damaged; /* how often the contents were invalid and dropped */
};

/* Maps the buffer. Set fd and layout before. kept_bytes: the most bytes to keep, if address space permits. False with errno: the
 * system refuses that much memory. */
bool perf_ring_map(struct perf_ring *ring, uint64_t bytes, uint64_t kept_bytes);
void perf_ring_unmap(struct perf_ring *ring);
/* Unmaps the buffer and closes the event. */
void perf_ring_close(struct perf_ring *ring);

/* Fetches all new records, if there is room for all. Any thread may call this. */
void perf_ring_fetch(struct perf_ring *ring);
/* Whether there is a record. Ends the use of the record taken last. */
bool perf_ring_peek(struct perf_ring *ring);
/* Takes the record that perf_ring_peek found. False: memory ran out, and the record is dropped. */
bool perf_ring_take_fields(struct perf_ring *ring, struct perf_fields *fields);

#endif
