/* A buffer as the kernel fills it, made by hand: begin, put…, commit; then take. */
#ifndef DWELL_TEST_UNIT_PERF_FAKE_RING_H
#define DWELL_TEST_UNIT_PERF_FAKE_RING_H

#include <stdlib.h>
#include <string.h>

#include "sample/perf/perf_decode.h"
#include "sample/perf/perf_open.h"

#define RING_BYTES 4096u

struct fake {
	struct perf_event_mmap_page page;
	struct perf_ring ring;
	uint8_t record[RING_BYTES];
	size_t size;
};

static inline struct fake *make_fake(uint64_t begin)
{
	struct fake *fake = calloc(1, sizeof *fake);

	/* Exactly as large as it says: whatever reads beyond it is seen by the sanitizer. */
	fake->ring = (struct perf_ring){.fd = -1,
		.layout = PERF_LAYOUT,
		.page = &fake->page, .data = malloc(RING_BYTES), .bytes = RING_BYTES,
		.fetched = begin, .kept = malloc(RING_BYTES), .kept_bytes = RING_BYTES, .lock = PTHREAD_MUTEX_INITIALIZER};
	fake->page.data_head = fake->page.data_tail = begin;
	return fake;
}

static inline void free_fake(struct fake *fake)
{
	free(fake->ring.whole);
	free(fake->ring.kept);
	free(fake->ring.data);
	free(fake);
}

static inline void begin(struct fake *fake, uint32_t type, uint16_t misc)
{
	const struct perf_event_header header = {.type = type, .misc = misc};

	memcpy(fake->record, &header, sizeof header);
	fake->size = sizeof header;
}

static inline void put(struct fake *fake, const void *data, size_t size)
{
	memcpy(fake->record + fake->size, data, size);
	fake->size += size;
}

static inline void put32(struct fake *fake, uint32_t value)
{
	put(fake, &value, 4);
}

static inline void put64(struct fake *fake, uint64_t value)
{
	put(fake, &value, 8);
}

static inline void commit_as(struct fake *fake, uint16_t size)
{
	memcpy(fake->record + 6, &size, 2);
	for (size_t i = 0; i < fake->size; i++)
		fake->ring.data[(fake->page.data_head + i) % RING_BYTES] = fake->record[i];
	fake->page.data_head += fake->size;
}

#define FAKE_TIMER 7u

/* With the trailer that all but samples have. */
static inline void commit(struct fake *fake, uint32_t pid, uint32_t tid, uint64_t ns)
{
	put32(fake, pid);
	put32(fake, tid);
	put64(fake, ns);
	put64(fake, FAKE_TIMER);
	commit_as(fake, (uint16_t)fake->size);
}

static inline bool take(struct fake *fake, struct perf_record *record)
{
	return perf_ring_peek(&fake->ring) && perf_ring_take(&fake->ring, record);
}

static inline void begin_sample(struct fake *fake, uint64_t ip, uint64_t ns, uint64_t period)
{
	begin(fake, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put64(fake, ip);
	put32(fake, 100);
	put32(fake, 101);
	put64(fake, ns);
	put64(fake, FAKE_TIMER);
	put64(fake, period);
}

static inline void put_registers(struct fake *fake)
{
	put64(fake, PERF_SAMPLE_REGS_ABI_64);
	for (unsigned i = 0; i < 64; i++)
		if (cpu_perf_mask(cpu_native()) >> i & 1)
			put64(fake, 0x1000 + i);
}

static inline void put_stack(struct fake *fake, uint64_t size, uint64_t copied)
{
	put64(fake, size);
	for (uint64_t i = 0; i < size; i++)
		put(fake, "s", 1);
	put64(fake, copied);
}

#endif
