/* perf_decode: decodes the records in the kernel's buffer. perf_event_open(2) describes the records; perf_open.c requests their
 * fields. */
#include "sample/perf/perf_decode.h"

#include <string.h>

#include "cpu/cpu.h"

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

/* Takes the field behind ip, pid, tid, time, timer, period: the return
 * addresses within the kernel, behind a mark. Returns the end of the field. */
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

/* Takes the fields behind the chain: registers and stack, if they were requested. */
static void take_stack(const uint8_t *p, const uint8_t *end, struct perf_record *record)
{
	const struct cpu *cpu = cpu_native();
	uint64_t mask = cpu_perf_mask(cpu), abi, size, copied;

	record->sample.is_bare = end - p < 8;
	if (record->sample.is_bare)
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
	copied = get64(p + size);
	record->sample.stack.bytes.size = (size_t)(copied < size ? copied : size);
}

static bool take_sample(const struct perf_fields *fields, bool has_chain, struct perf_record *record)
{
	const uint8_t *p = fields->begin, *end = fields->end;

	if (end - p < (ptrdiff_t)PERF_SAMPLE_BYTES)
		return false;
	record->kind = PERF_SAMPLE;
	record->sample.ip = get64(p);
	record->sample.timer = get64(p + 24);
	record->sample.period = get64(p + 32);
	record->sample.in_kernel = (fields->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	p += PERF_SAMPLE_BYTES;
	if (has_chain && p < end)
		p = take_chain(p, end, record);
	take_stack(p, end, record);
	record->sample.stack.address = record->sample.registers.values[cpu_native()->sp];
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
	} else {
		record->map.major = get32(p + 32);
		record->map.minor = get32(p + 36);
		record->map.inode = get64(p + 40);
	}
	return record->map.low < record->map.high;
}

static bool decode(const struct perf_fields *fields, bool has_chains, struct perf_record *record)
{
	const uint8_t *p = fields->begin, *end = fields->end;

	record->pid = fields->pid;
	record->tid = fields->tid;
	switch (fields->type) {
	case PERF_RECORD_SAMPLE:
		return take_sample(fields, has_chains, record);
	case PERF_RECORD_MMAP2:
		return take_map(p, end, fields->misc, record);
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
		record->kind = fields->misc & PERF_RECORD_MISC_COMM_EXEC ? PERF_EXEC : PERF_NAME;
		record->pid = get32(p);
		record->tid = get32(p + 4);
		record->name = (const char *)p + 8;
		return true;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES: /* from the processor's own counter */
		record->kind = PERF_LOST;
		record->lost = fields->lost;
		return true;
	case PERF_RECORD_THROTTLE:
		record->kind = PERF_THROTTLED;
		return true;
	default:
		return false;
	}
}

/* Whether dwell requests such records. If so, a record refused by decode() is malformed, and counts as damage. */
static bool is_asked_for(uint32_t type)
{
	return type == PERF_RECORD_SAMPLE || type == PERF_RECORD_MMAP2 || type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT ||
		type == PERF_RECORD_COMM;
}

bool perf_ring_take(struct perf_ring *ring, struct perf_record *record)
{
	struct perf_fields fields;
	bool good = perf_ring_take_fields(ring, &fields);

	*record = (struct perf_record){.ns = fields.ns};
	good = good && decode(&fields, ring->has_chains, record);
	if (!good && is_asked_for(fields.type))
		__atomic_fetch_add(&ring->damaged, 1, __ATOMIC_RELAXED);
	return good;
}
