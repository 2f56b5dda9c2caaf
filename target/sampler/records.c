/* SPDX-License-Identifier: MIT
 *
 * Writes records for `dwell record` into the shared memory: claims a record and room for its data, fills them in, and marks them as
 * ready. See shared.h.
 */
#include "port/os/linux/system.h"
#include "sampler/sampler.h"

#define LOOK_AT_OWNER 64u /* lost records between two checks whether the reader still runs */

/* Counts a record without room. Now and then checks whether the reader still runs, and else ends sampling. */
static void count_lost(struct dwell_sampler *shared, enum dwell_sampler_kind kind)
{
	uint64_t lost =
		__atomic_add_fetch(kind == DWELL_SAMPLER_SAMPLE ? &shared->lost : &shared->lost_reports, 1, __ATOMIC_RELAXED);

	if (lost % LOOK_AT_OWNER == 0 && !system_process_exists(shared->owner_pid))
		shared->closed = 1;
}

/* Claims the next record and units of room. *claimed: head before the claim. False: no room. */
static bool claim(struct dwell_sampler *shared, uint32_t units, uint64_t *claimed)
{
	uint64_t head = __atomic_load_n(&shared->head, __ATOMIC_RELAXED), next;
	uint32_t room = (uint32_t)(sampler.data_bytes / DWELL_SAMPLER_UNIT);

	do {
		uint64_t tail = __atomic_load_n(&shared->tail, __ATOMIC_ACQUIRE);

		if ((uint32_t)(head >> 32) - (uint32_t)(tail >> 32) >= DWELL_SAMPLER_RECORDS ||
			(uint32_t)head - (uint32_t)tail + units > room)
			return false;
		next = ((head >> 32) + 1) << 32 | (uint32_t)(head + units);
	} while (!__atomic_compare_exchange_n(&shared->head, &head, next, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	*claimed = head;
	return true;
}

static void copy(unsigned char *to, const unsigned char *from, uint64_t bytes)
{
#ifdef LINUX_OWN_COPY
	linux_copy(to, from, bytes);
#else
	for (; bytes >= 8 && !(((uint64_t)to | (uint64_t)from) & 7); bytes -= 8, to += 8, from += 8)
		*(volatile uint64_t *)to = *(const uint64_t *)from;
	for (; bytes; bytes--)
		*(volatile unsigned char *)to++ = *from++;
#endif
}

/* Copies data into the ring at a position, which wraps at the ring's end. Returns the position behind the data. */
static uint64_t put(struct dwell_sampler *shared, uint64_t at, const void *data, uint64_t bytes)
{
	unsigned char *ring = dwell_sampler_data(shared);
	uint64_t offset = at & (sampler.data_bytes - 1),
		 first = sampler.data_bytes - offset < bytes ? sampler.data_bytes - offset : bytes;

	copy(ring + offset, data, first);
	copy(ring, (const unsigned char *)data + first, bytes - first);
	return at + bytes;
}

void records_append(enum dwell_sampler_kind kind, uint64_t now_ns, const struct record_part *parts, unsigned count)
{
	struct dwell_sampler *shared = sampler.shared;
	struct dwell_sampler_record *record;
	uint32_t bytes = 0, units, number;
	uint64_t claimed, at;

	for (unsigned i = 0; i < count; i++)
		bytes += parts[i].bytes;
	units = (bytes + DWELL_SAMPLER_UNIT - 1) / DWELL_SAMPLER_UNIT;
	if (!claim(shared, units, &claimed)) {
		count_lost(shared, kind);
		return;
	}
	number = (uint32_t)(claimed >> 32);
	record = dwell_sampler_record(shared, number);
	record->pid = sampler.number;
	record->tid = sampler_this_thread.tid ? sampler_this_thread.number : numbers_thread(system_tid());
	record->kind = kind;
	record->bytes = bytes;
	record->unit = (uint32_t)claimed;
	record->units = units;
	record->ns = now_ns - (uint64_t)sampler.clock_ahead_ns;
	__atomic_store_n(&record->claimed, number + 1, __ATOMIC_RELEASE);
	at = (uint64_t)(uint32_t)claimed * DWELL_SAMPLER_UNIT;
	for (unsigned i = 0; i < count; i++)
		at = put(shared, at, parts[i].data, parts[i].bytes);
	__atomic_store_n(&record->ready, number + 1, __ATOMIC_RELEASE);
}
