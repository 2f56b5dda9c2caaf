/* SPDX-License-Identifier: MIT */
#include "port/os/linux/overhead.h"

#include "port/os/linux/system.h"

#define CALLS 48
/* A tenth of a second; where the rate is not known, of a clock of 2.7 GHz. */
#define STEP_TICKS (PORT_CLOCK_HZ ? PORT_CLOCK_HZ / 10 : UINT64_C(1) << 28)
#define PLACE ((void *)0x10000)        /* no tag, and no function that a filter knows */

static struct {
	union {
		struct dwell_ring ring;
		unsigned char header[DWELL_RING_HEADER_BYTES];
	};
	uint64_t slots[2 * DWELL_BLOCK_SLOTS];
} scratch __attribute__((aligned(4096)));
static volatile uint32_t measuring;

/* Ready for events at the second slot of its first block, of any stack. */
static struct dwell_ring *empty_ring(void)
{
	struct dwell_ring *ring = dwell_ring_begin(&scratch, sizeof scratch.header, sizeof scratch, DWELL_MODE_RING, true);

	ring->pos = DWELL_SLOT_BYTES;
	ring->said = ring->epoch = (uint32_t)(port_now() >> 32);
	ring->stack_bytes = UINTPTR_MAX;
	return ring;
}

/* The mean, in sixteenths, without what an interrupt has made long. No median: clocks may tick in steps that are as long as what is
 * measured, and then single differences are one or two steps, whatever lies between. Where four of them are less than a step (an emulator's
 * clock), single ones are none or one. */
static uint32_t mean_of(const uint32_t *values, unsigned count)
{
	uint64_t sum = 0, taken = 0;
	uint32_t least_of_four = UINT32_MAX, step = UINT32_MAX, limit;

	for (unsigned i = 0; i + 4 <= count; i += 4) {
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

/* False: it was not all recorded as it was called: a clock that wraps, hooks that are off. */
static bool evaluate(const struct dwell_ring *ring, uint32_t *inner, uint32_t *outer)
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
	*inner = mean_of(inside, CALLS);
	*outer = mean_of(outside, CALLS - 1);
	return *inner < 1u << 20 && *outer < 1u << 20;
}

static __attribute__((noinline)) void call(overhead_hook *enter, overhead_hook *exit)
{
	for (unsigned i = 0; i < CALLS; i++) {
		enter(PLACE, PLACE);
		exit(PLACE, PLACE);
	}
}

static void measure(struct dwell_session *session, overhead_hook *enter, overhead_hook *exit, enum dwell_overhead_kind kind)
{
	struct dwell_thread *thread = port_thread();
	struct dwell_ring *own = thread->ring, *ring = empty_ring();
	uint32_t inner, outer, at;

	thread->ring = ring;
	call(enter, exit);
	thread->ring = own;
	if (!evaluate(ring, &inner, &outer))
		return;
	at = __atomic_fetch_add(&session->overhead_count, 1, __ATOMIC_RELAXED);
	session->overheads[at % DWELL_SESSION_OVERHEADS] = dwell_session_overhead(kind, inner, outer);
}

void overhead_look(void)
{
	struct dwell_session *session = agent.session;
	uint64_t now = port_now(), due = session->next_overhead_ticks, mask;
	overhead_hook *enter, *exit;

	if (now < due || session->closed || session->args || !agent.on)
		return;
	/* The thread's events of a handler would go astray meanwhile. */
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
