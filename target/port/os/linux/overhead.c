/* SPDX-License-Identifier: MIT
 *
 * Measures what recording a call costs, and stores the results in the session; see overhead.h.
 */
#include "port/os/linux/overhead.h"

#include "port/os/linux/system.h"

#define CALLS 48
/* A hundredth of a second; if the clock's rate is unknown, that of a clock of 3.4 GHz. */
#define STEP_TICKS (PORT_CLOCK_HZ ? PORT_CLOCK_HZ / 100 : UINT64_C(1) << 25)
#define WORK_ROUNDS 28 /* of seven instructions */
#define LINE_BYTES 64u /* of caches; where lines are longer, some are evicted twice */
#define CODE_BYTES 256u /* at most this much code of a hook's entry is evicted */
#define PLACE ((void *)0x10000)        /* not a tag, and no function that a filter holds */

/* The ring for measured calls. */
static struct {
	union {
		struct dwell_ring ring;
		unsigned char header[DWELL_RING_HEADER_BYTES];
	};
	uint64_t slots[2 * DWELL_BLOCK_SLOTS];
} scratch __attribute__((aligned(4096)));
static volatile uint32_t measuring; /* 1: a thread uses scratch */

/* Makes a ring that is ready for events of any stack, at the second slot of its first block. */
static struct dwell_ring *empty_ring(void)
{
	struct dwell_ring *ring = dwell_ring_begin(&scratch, sizeof scratch.header, sizeof scratch, DWELL_MODE_RING, true);

	ring->pos = DWELL_SLOT_BYTES;
	ring->last_tag = ring->epoch = (uint32_t)(port_now() >> 32);
	ring->stack_bytes = UINTPTR_MAX;
	return ring;
}

/* Returns the mean in sixteenths. Without `all`, values that an interrupt made long are left out. A median would not do: a clock
 * may tick in steps as long as the measured time. Then single differences are one step or two, whatever the true time. If four
 * values together are below one step (an emulator's clock), single ones are zero or one step. */
static uint32_t mean_of(const uint32_t *values, unsigned count, bool all)
{
	uint64_t sum = 0, taken = 0;
	uint32_t least_of_four = UINT32_MAX, step = UINT32_MAX, limit;

	if (all)
		least_of_four = UINT32_MAX / 2;
	for (unsigned i = 0; !all && i + 4 <= count; i += 4) {
		uint32_t four = values[i] + values[i + 1] + values[i + 2] + values[i + 3];

		if (four < least_of_four)
			least_of_four = four;
	}
	for (unsigned i = 0; i < count; i++)
		if (values[i] && values[i] < step)
			step = values[i];
	limit = least_of_four || step < 16 ? least_of_four + 16 : step;
	for (unsigned i = 0; i < count; i++)
		if (values[i] <= limit) {
			sum += values[i];
			taken++;
		}
	return taken ? (uint32_t)(sum * 16 / taken) : UINT32_MAX;
}

/* Computes from the ring's stamps the ticks inside and outside of a call, both in sixteenths. False: the ring does not hold all
 * calls, since the clock wrapped or the hooks are off; or a result is 2^20 or more. alone: the part of each result that is not the
 * recorder's, to be subtracted, in sixteenths. all: include long values. */
static bool evaluate(const struct dwell_ring *ring, uint32_t alone, bool all, uint32_t *inner, uint32_t *outer)
{
	uint32_t inside[CALLS], outside[CALLS];

	if (ring->pos != DWELL_SLOT_BYTES * (1 + 2 * CALLS))
		return false;
	for (unsigned i = 0; i < CALLS; i++) {
		const uint64_t *call = scratch.slots + 1 + 2 * i;
		uint32_t begin = (uint32_t)(call[0] >> 32), end = (uint32_t)(call[1] >> 32);
		uint32_t next = i + 1 < CALLS ? (uint32_t)(call[2] >> 32) : 0;

		if (dwell_slot_is_tag(call[0]) || dwell_slot_is_tag(call[1]))
			return false;
		inside[i] = end - begin;
		outside[i] = next - end;
	}
	*inner = mean_of(inside, CALLS, all);
	*outer = mean_of(outside, CALLS - 1, all);
	if (*inner >= 1u << 20 || *outer >= 1u << 20)
		return false;
	*inner = *inner > alone ? *inner - alone : 0;
	*outer = *outer > alone ? *outer - alone : 0;
	return true;
}

/* Five independent sums, to keep the whole processor busy: then the recorder's instructions take time, and only the recorder's
 * waiting is hidden behind this work. */
static inline void work(void)
{
	static volatile uint32_t none;
	uint32_t a = none, b = a, c = a, d = a, e = a;

	for (unsigned i = 0; i < WORK_ROUNDS; i++) {
		a += i;
		b ^= i;
		c -= i;
		d |= i;
		e += a;
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e)); /* keeps the compiler from removing any */
	}
}

static __attribute__((noinline)) void call(overhead_hook *enter, overhead_hook *exit)
{
	for (unsigned i = 0; i < CALLS; i++) {
		enter(PLACE, PLACE);
		exit(PLACE, PLACE);
	}
}

static __attribute__((noinline)) void call_beside_work(overhead_hook *enter, overhead_hook *exit)
{
	for (unsigned i = 0; i < CALLS; i++) {
		enter(PLACE, PLACE);
		work();
		exit(PLACE, PLACE);
		work();
	}
}

/* Returns the time of one work() alone, in sixteenths of a tick. */
static __attribute__((noinline)) uint32_t work_alone(void)
{
	uint64_t begin = port_now();

	for (unsigned i = 0; i < CALLS; i++) {
		work();
		__asm__ volatile("" : : : "memory");
		work();
	}
	return (uint32_t)((port_now() - begin) * 16 / (2 * CALLS));
}

static void evict(const volatile void *from, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i += LINE_BYTES)
		port_evict((const volatile char *)from + i);
}

static void evict_all(overhead_hook *enter, overhead_hook *exit)
{
	evict((const void *)(uintptr_t)enter, CODE_BYTES);
	evict((const void *)(uintptr_t)exit, CODE_BYTES);
	evict(&scratch, sizeof scratch.ring);
	evict(scratch.slots, (1 + 2 * CALLS) * DWELL_SLOT_BYTES);
	port_evict_done();
}

static void measure_one(struct dwell_session *session, overhead_hook *enter, overhead_hook *exit, enum dwell_overhead_kind kind,
	enum dwell_overhead_loop loop, uint32_t at)
{
	struct dwell_thread *thread = port_thread();
	struct dwell_ring *own = thread->ring, *ring = empty_ring();
	uint32_t alone = loop == DWELL_OVERHEAD_WORK ? work_alone() : 0, inner, outer;

	if (loop == DWELL_OVERHEAD_EVICTED)
		evict_all(enter, exit);
	thread->ring = ring;
	if (loop == DWELL_OVERHEAD_WORK)
		call_beside_work(enter, exit);
	else
		call(enter, exit);
	thread->ring = own;
	if (evaluate(ring, alone, loop == DWELL_OVERHEAD_EVICTED, &inner, &outer))
		dwell_session_overheads(session, loop)[at] = dwell_session_overhead(kind, inner, outer);
}

/* Returns where to keep the count-th measurement. Each has the same chance, so the kept ones come from all of the recording. */
static uint32_t place_of(uint32_t count)
{
	uint64_t mixed = (count + 1) * UINT64_C(0x9e3779b97f4a7c15);

	return count < DWELL_SESSION_OVERHEADS
		       ? count
		       : (uint32_t)((mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 32) % (count + 1);
}

static void measure(struct dwell_session *session, overhead_hook *enter, overhead_hook *exit, enum dwell_overhead_kind kind)
{
	uint32_t at = place_of(__atomic_fetch_add(&session->overhead_count, 1, __ATOMIC_RELAXED));

	if (at >= DWELL_SESSION_OVERHEADS)
		return;
	for (enum dwell_overhead_loop loop = 0; loop < DWELL_OVERHEAD_LOOPS; loop++)
		measure_one(session, enter, exit, kind, loop, at);
}

void overhead_measure(void)
{
	struct dwell_session *session = agent.session;
	uint64_t now = port_now(), due = session->next_overhead_ticks, mask;
	overhead_hook *enter, *exit;

	if (now < due || session->closed || session->args || !agent.on)
		return;
	/* While thread->ring is replaced, events of a handler would go into the wrong ring. */
	mask = system_block_signals();
	if (__atomic_compare_exchange_n(
		    &session->next_overhead_ticks, &due, now + STEP_TICKS, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
		!__atomic_exchange_n(&measuring, 1, __ATOMIC_ACQUIRE)) {
		if (hooks_get_pair(&enter, &exit))
			measure(session, enter, exit, DWELL_OVERHEAD_HOOKS);
		if (sites_get_pair(&enter, &exit))
			measure(session, enter, exit, DWELL_OVERHEAD_SITES);
		__atomic_store_n(&measuring, 0, __ATOMIC_RELEASE);
	}
	system_restore_signals(mask);
}
