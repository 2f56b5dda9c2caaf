/* perf_decode: see perf_decode.h. Records are as perf_event_open(2) has them, with what perf_open.c asked for. */
#include "sample/perf/perf_decode.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "util/array.h"

#define HEADER_BYTES sizeof(struct perf_event_header)
#define TRAILER_BYTES 24u /* pid, tid, time, timer: at the end of each record but samples */
#define TRAILER_NS 16u    /* the time in it, from its end */
#define SAMPLE_BYTES 40u  /* of a sample at least: ip, pid, tid, time, timer, period */
#define SAMPLE_NS 16u     /* in a sample, behind the header: ip, pid, tid, time */

bool perf_ring_map(struct perf_ring *ring, uint64_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *map = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);

	if (map == MAP_FAILED)
		return false;
	ring->page = map;
	ring->data = (uint8_t *)map + page;
	ring->bytes = bytes;
	return true;
}

void perf_ring_unmap(struct perf_ring *ring)
{
	if (ring->page)
		munmap(ring->page, (size_t)sysconf(_SC_PAGESIZE) + ring->bytes);
	ring->page = NULL;
}

void perf_ring_close(struct perf_ring *ring)
{
	perf_ring_unmap(ring);
	close(ring->fd);
}

void perf_scratch_clear(struct perf_scratch *scratch)
{
	free(scratch->data);
	*scratch = (struct perf_scratch){0};
}

static void copy_out(const struct perf_ring *ring, uint64_t at, void *to, size_t size)
{
	uint64_t offset = at & (ring->bytes - 1), first = ring->bytes - offset < size ? ring->bytes - offset : size;

	memcpy(to, ring->data + offset, first);
	memcpy((uint8_t *)to + first, ring->data, size - first);
}

static size_t least_size(uint32_t type)
{
	return HEADER_BYTES + (type == PERF_RECORD_SAMPLE ? SAMPLE_BYTES : TRAILER_BYTES);
}

static bool is_possible(const struct perf_ring *ring, const struct perf_event_header *header, uint64_t at)
{
	return header->size >= least_size(header->type) && ring->head - at >= header->size && ring->bytes >= header->size;
}

bool perf_ring_peek(struct perf_ring *ring)
{
	struct perf_event_header header;
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);

	ring->head = head;
	if (head - ring->tail < HEADER_BYTES)
		return false;
	copy_out(ring, ring->tail, &header, sizeof header);
	if (!is_possible(ring, &header, ring->tail)) {
		/* The kernel writes no such record. Whatever it is, it is not known where the next one begins. */
		ring->tail = head;
		ring->damaged++;
		__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
		return false;
	}
	copy_out(ring, header.type == PERF_RECORD_SAMPLE ? ring->tail + HEADER_BYTES + SAMPLE_NS : ring->tail + header.size - TRAILER_NS,
		&ring->next_ns, sizeof ring->next_ns);
	return true;
}

static uint32_t get32(const uint8_t *p)
{
	uint32_t value;

	memcpy(&value, p, sizeof value);
	return value;
}

static uint64_t get64(const uint8_t *p)
{
	uint64_t value;

	memcpy(&value, p, sizeof value);
	return value;
}

/* Behind ip, pid, tid, time, timer, period: the return addresses that the kernel found in itself, behind a mark. Returns what is behind
 * all of them. */
static const uint8_t *take_chain(const uint8_t *p, const uint8_t *end, struct perf_record *record)
{
	bool in_kernel = false;
	uint64_t count;

	if (end - p < 8)
		return end;
	count = get64(p);
	p += 8;
	if (count > (uint64_t)(end - p) / 8)
		return end;
	for (; count; count--, p += 8) {
		uint64_t address = get64(p);

		if (address >= (uint64_t)PERF_CONTEXT_MAX)
			in_kernel = address == (uint64_t)PERF_CONTEXT_KERNEL;
		else if (in_kernel && !record->sample.kernel_chain.count++)
			record->sample.kernel_chain.addresses = p;
	}
	return p;
}

/* Behind that: registers and stack, if they were asked for. */
static void take_stack(const uint8_t *p, const uint8_t *end, struct perf_record *record)
{
	const struct cpu *cpu = cpu_here();
	uint64_t mask = cpu_perf_mask(cpu), abi, size;

	if (end - p < 8)
		return;
	abi = get64(p);
	p += 8;
	for (unsigned i = 0; abi && i < 64; i++) {
		if (!(mask >> i & 1))
			continue;
		if (end - p < 8)
			return;
		unwind_registers_set(&record->sample.registers, cpu, i, get64(p));
		p += 8;
	}
	record->sample.has_registers = abi == PERF_SAMPLE_REGS_ABI_64;
	if (end - p < 8)
		return;
	size = get64(p);
	p += 8;
	if (!size || end - p < 8 || size > (uint64_t)(end - p) - 8)
		return;
	record->sample.stack.bytes.data = p;
	record->sample.stack.bytes.size = get64(p + size) < size ? (size_t)get64(p + size) : (size_t)size; /* as much as could be copied */
}

static bool take_sample(const uint8_t *p, const uint8_t *end, uint16_t misc, bool has_chain, struct perf_record *record)
{
	if (end - p < (ptrdiff_t)SAMPLE_BYTES)
		return false;
	record->kind = PERF_SAMPLE;
	record->pid = get32(p + 8);
	record->tid = get32(p + 12);
	record->sample.ip = get64(p);
	record->sample.timer = get64(p + 24);
	record->sample.period = get64(p + 32);
	record->sample.in_kernel = (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	p += SAMPLE_BYTES;
	if (has_chain && p < end)
		p = take_chain(p, end, record);
	take_stack(p, end, record);
	record->sample.stack.address = record->sample.registers.values[cpu_here()->sp];
	return true;
}

static bool take_map(const uint8_t *p, const uint8_t *end, uint16_t misc, struct perf_record *record)
{
	if (end - p < 64 + 1 || end[-1])
		return false;
	record->kind = PERF_MAP;
	record->pid = get32(p);
	record->tid = get32(p + 4);
	record->map.low = get64(p + 8);
	record->map.high = record->map.low + get64(p + 16);
	record->map.offset = get64(p + 24);
	record->map.path = (const char *)p + 64;
	if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		record->map.build_id_bytes = p[32] <= 20 ? p[32] : 0;
		memcpy(record->map.build_id, p + 36, record->map.build_id_bytes);
	}
	return record->map.low < record->map.high;
}

static bool decode(const uint8_t *data, const struct perf_event_header *header, bool has_chains, struct perf_record *record)
{
	const uint8_t *p = data + HEADER_BYTES, *end = data + header->size;

	if (header->type == PERF_RECORD_SAMPLE)
		return take_sample(p, end, header->misc, has_chains, record);
	end -= TRAILER_BYTES;
	record->pid = get32(end);
	record->tid = get32(end + 4);
	switch (header->type) {
	case PERF_RECORD_MMAP2:
		return take_map(p, end, header->misc, record);
	case PERF_RECORD_FORK:
		if (end - p < 24)
			return false;
		record->kind = get32(p) == get32(p + 4) ? PERF_THREAD : PERF_PROCESS;
		record->pid = get32(p);
		record->parent_pid = get32(p + 4);
		record->tid = get32(p + 8);
		return true;
	case PERF_RECORD_EXIT:
		if (end - p < 24)
			return false;
		record->kind = PERF_THREAD_END;
		record->pid = get32(p);
		record->tid = get32(p + 8);
		return true;
	case PERF_RECORD_COMM:
		if (end - p < 9 || end[-1])
			return false;
		record->kind = header->misc & PERF_RECORD_MISC_COMM_EXEC ? PERF_EXEC : PERF_NAME;
		record->pid = get32(p);
		record->tid = get32(p + 4);
		record->name = (const char *)p + 8;
		return true;
	case PERF_RECORD_LOST:
		record->kind = PERF_LOST;
		record->lost = end - p >= 16 ? get64(p + 8) : 1;
		return true;
	case PERF_RECORD_LOST_SAMPLES: /* of the processor's own count */
		record->kind = PERF_LOST;
		record->lost = end - p >= 8 ? get64(p) : 1;
		return true;
	case PERF_RECORD_THROTTLE:
		record->kind = PERF_THROTTLED;
		return true;
	default:
		return false;
	}
}

/* Of those that decode() takes, which of it makes sense. */
static bool is_asked_for(uint32_t type)
{
	return type == PERF_RECORD_SAMPLE || type == PERF_RECORD_MMAP2 || type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT ||
		type == PERF_RECORD_COMM;
}

bool perf_ring_take(struct perf_ring *ring, struct perf_scratch *scratch, struct perf_record *record)
{
	struct perf_event_header header;
	bool good;

	copy_out(ring, ring->tail, &header, sizeof header);
	*record = (struct perf_record){.ns = ring->next_ns};
	good = array_reserve(&scratch->data, &scratch->capacity, header.size, 1);
	if (good) {
		copy_out(ring, ring->tail, scratch->data, header.size);
		good = decode(scratch->data, &header, ring->has_chains, record);
		ring->damaged += !good && is_asked_for(header.type);
	}
	ring->tail += header.size;
	__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
	return good;
}
