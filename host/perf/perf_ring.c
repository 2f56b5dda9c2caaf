/* perf_ring: copies the kernel's records to private memory, and takes records apart. */
#include "perf/perf_ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/array.h"

#define TRAILER_NS 8u /* the time's offset in the trailer, after pid and tid */
#define SAMPLE_PID 8u  /* pid's offset in a sample, after the header and ip; then tid … */
#define SAMPLE_NS 16u  /* … and the time's offset */
#define PORTION_BYTES (UINT64_C(64) << 10)
#define SMALL_PAGES_BYTES (UINT64_C(2) << 20)

static bool map_kept(struct perf_ring *ring, uint64_t bytes)
{
	void *map;

	for (;; bytes /= 2) {
		map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (map != MAP_FAILED)
			break;
		if (bytes / 2 < ring->bytes)
			return false;
	}
	ring->kept = map;
	ring->kept_bytes = bytes;
	/* Many threads in a program fill more than this, and page faults then took as long as the copy. */
	if (bytes > SMALL_PAGES_BYTES)
		madvise(ring->kept + SMALL_PAGES_BYTES, bytes - SMALL_PAGES_BYTES, MADV_HUGEPAGE);
	return true;
}

bool perf_ring_map(struct perf_ring *ring, uint64_t bytes, uint64_t kept_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *map = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);

	if (map == MAP_FAILED)
		return false;
	ring->page = map;
	ring->data = (uint8_t *)map + page;
	ring->bytes = bytes;
	if (map_kept(ring, kept_bytes > bytes ? kept_bytes : bytes)) {
		pthread_mutex_init(&ring->lock, NULL);
		return true;
	}
	perf_ring_unmap(ring);
	errno = ENOMEM;
	return false;
}

void perf_ring_unmap(struct perf_ring *ring)
{
	if (ring->page)
		munmap(ring->page, (size_t)sysconf(_SC_PAGESIZE) + ring->bytes);
	if (ring->kept)
		munmap(ring->kept, ring->kept_bytes);
	ring->page = NULL;
	ring->kept = NULL;
}

void perf_ring_close(struct perf_ring *ring)
{
	perf_ring_unmap(ring);
	free(ring->whole);
	close(ring->fd);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Copies in portions, because the fetching thread may be delayed in the middle: each portion copied is
 * room for the kernel again. */
static void copy(struct perf_ring *ring, uint64_t size)
{
	for (uint64_t done = 0, part; done < size; done += part) {
		uint64_t from = (ring->fetched + done) & (ring->bytes - 1), to = (ring->head + done) & (ring->kept_bytes - 1);

		part = least(least(size - done, PORTION_BYTES), least(ring->bytes - from, ring->kept_bytes - to));
		memcpy(ring->kept + to, ring->data + from, part);
		__atomic_store_n(&ring->page->data_tail, ring->fetched + done + part, __ATOMIC_RELEASE);
	}
}

static void damage(struct perf_ring *ring)
{
	__atomic_fetch_add(&ring->damaged, 1, __ATOMIC_RELAXED);
}

/* pre: the lock is held. */
static void fetch(struct perf_ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE), size = head - ring->fetched;

	if (size > ring->bytes)
		damage(ring);
	else if (ring->kept_bytes - (ring->head - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE)) < size)
		return;
	else
		copy(ring, size);
	if (size <= ring->bytes)
		__atomic_store_n(&ring->head, ring->head + size, __ATOMIC_RELEASE);
	__atomic_store_n(&ring->fetched, head, __ATOMIC_RELAXED);
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

void perf_ring_fetch(struct perf_ring *ring)
{
	if (__atomic_load_n(&ring->page->data_head, __ATOMIC_RELAXED) == __atomic_load_n(&ring->fetched, __ATOMIC_RELAXED))
		return;
	pthread_mutex_lock(&ring->lock);
	fetch(ring);
	pthread_mutex_unlock(&ring->lock);
}

/* Fetches into the start of the empty memory, which the previous records have left mapped and cached. */
static void fetch_anew(struct perf_ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	if (ring->head == ring->tail)
		ring->head = ring->tail = 0;
	fetch(ring);
	pthread_mutex_unlock(&ring->lock);
}

static void copy_out(const struct perf_ring *ring, uint64_t at, void *to, size_t size)
{
	uint64_t offset = at & (ring->kept_bytes - 1), first = least(ring->kept_bytes - offset, size);

	memcpy(to, ring->kept + offset, first);
	memcpy((uint8_t *)to + first, ring->kept, size - first);
}

static size_t least_size(const struct perf_ring *ring, uint32_t type)
{
	return PERF_HEADER_BYTES + (type == PERF_RECORD_SAMPLE ? ring->layout.sample_bytes : ring->layout.trailer_bytes);
}

bool perf_ring_peek(struct perf_ring *ring)
{
	struct perf_event_header header = {0};
	uint64_t left, ns_at;

	__atomic_store_n(&ring->tail, ring->tail + ring->in_use, __ATOMIC_RELEASE);
	ring->in_use = 0;
	if (__atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) == ring->tail) {
		if (__atomic_load_n(&ring->page->data_head, __ATOMIC_RELAXED) == __atomic_load_n(&ring->fetched, __ATOMIC_RELAXED))
			return false;
		fetch_anew(ring);
	}
	left = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) - ring->tail;
	if (!left)
		return false;
	if (left >= sizeof header)
		copy_out(ring, ring->tail, &header, sizeof header);
	if (header.size < least_size(ring, header.type) || header.size > left) {
		/* The kernel never writes such a record. The size is unreliable, so the next record's place is unknown. */
		__atomic_store_n(&ring->tail, ring->tail + left, __ATOMIC_RELEASE);
		damage(ring);
		return false;
	}
	if (header.type == PERF_RECORD_SAMPLE)
		ns_at = PERF_HEADER_BYTES + SAMPLE_NS;
	else
		ns_at = header.size - ring->layout.trailer_bytes + TRAILER_NS;
	copy_out(ring, ring->tail + ns_at, &ring->next_ns, sizeof ring->next_ns);
	return true;
}

/* Returns the whole record in a single piece, with its header. Null: memory ran out. */
static const uint8_t *take_bytes(struct perf_ring *ring, struct perf_event_header *header)
{
	uint64_t offset = ring->tail & (ring->kept_bytes - 1);

	copy_out(ring, ring->tail, header, sizeof *header);
	ring->in_use = header->size;
	if (ring->kept_bytes - offset >= header->size)
		return ring->kept + offset;
	if (!array_reserve(&ring->whole, &ring->whole_capacity, header->size, 1))
		return NULL;
	copy_out(ring, ring->tail, ring->whole, header->size);
	return ring->whole;
}

/* PERF_RECORD_LOST has the event's number in front of the count. */
static uint64_t count_lost(const struct perf_fields *fields)
{
	ptrdiff_t at = fields->type == PERF_RECORD_LOST ? 8 : 0;
	uint64_t count = 1;

	if (fields->type != PERF_RECORD_LOST && fields->type != PERF_RECORD_LOST_SAMPLES)
		return 0;
	if (fields->end - fields->begin >= at + (ptrdiff_t)sizeof count)
		memcpy(&count, fields->begin + at, sizeof count);
	return count;
}

bool perf_ring_take_fields(struct perf_ring *ring, struct perf_fields *fields)
{
	struct perf_event_header header;
	const uint8_t *bytes = take_bytes(ring, &header), *ids;

	*fields = (struct perf_fields){.type = header.type, .misc = header.misc, .ns = ring->next_ns};
	if (!bytes)
		return false;
	fields->begin = bytes + sizeof header;
	fields->end = bytes + header.size - (header.type == PERF_RECORD_SAMPLE ? 0 : ring->layout.trailer_bytes);
	ids = header.type == PERF_RECORD_SAMPLE ? fields->begin + SAMPLE_PID : fields->end;
	memcpy(&fields->pid, ids, sizeof fields->pid);
	memcpy(&fields->tid, ids + sizeof fields->pid, sizeof fields->tid);
	fields->lost = count_lost(fields);
	return true;
}
