/* SPDX-License-Identifier: MIT
 *
 * A thread's first event: a slot of the session, a ring in it.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

__thread struct dwell_thread dwell_this_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

#define POPULATE_BYTES (256u * 1024u)

static bool exchange(volatile uint32_t *word, uint32_t *expected, uint32_t desired)
{
	return __atomic_compare_exchange_n(word, expected, desired, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static struct dwell_session_slot *take_slot(struct dwell_session *session, uint32_t *index)
{
	struct dwell_session_slot *slots = dwell_session_slots(session);

	/* The lowest free one, so that memory that was used before is used again. */
	for (uint32_t i = 0; i < agent.slot_count; i++) {
		uint32_t expected = DWELL_SESSION_FREE, used;

		if (slots[i].state != DWELL_SESSION_FREE || !exchange(&slots[i].state, &expected, DWELL_SESSION_TAKEN))
			continue;
		used = session->slots_used;
		while (used <= i && !exchange(&session->slots_used, &used, i + 1))
			;
		*index = i;
		return &slots[i];
	}
	return 0;
}

/* The first thread that records says what machine and clock the session is of; a process of another one is refused. */
static bool agree_on_machine(struct dwell_session *session)
{
	uint32_t expected = 0;

	if (__atomic_compare_exchange_n(&session->machine, &expected, PORT_MACHINE, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		session->pointer_bytes = sizeof(void *);
		session->clock_bits = PORT_CLOCK_BITS;
		session->clock_flags = PORT_CLOCK_FLAGS;
		session->clock_hz = PORT_CLOCK_HZ;
		__atomic_store_n(&session->machine_ready, 1, __ATOMIC_RELEASE);
		return true;
	}
	if (expected == PORT_MACHINE)
		return true;
	__atomic_fetch_add(&session->refused_machines, 1, __ATOMIC_RELAXED);
	return false;
}

static struct dwell_ring *make_ring(struct dwell_session *session)
{
	struct dwell_session_slot *slot;
	struct dwell_ring *ring;
	uint32_t index;

	if (session->closed || !agree_on_machine(session))
		return 0;
	if (PORT_CLOCK_HZ)
		journal_clock();
	slot = take_slot(session, &index);
	if (!slot) {
		__atomic_fetch_add(&session->lost_threads, 1, __ATOMIC_RELAXED);
		return 0;
	}
	slot->process = agent.process;
	slot->pid = agent.pid;
	slot->tid = system_tid();
	slot->begin_ticks = port_now();
	slot->thread = (uint64_t)port_thread();
	system_thread_name(slot->name);
	ring = dwell_ring_begin(dwell_session_ring(session, index), DWELL_RING_HEADER_BYTES, session->slot_bytes,
		(enum dwell_mode)session->mode, !slot->soiled);
	slot->soiled = ring->commits_last; /* of such a ring nobody zeroes what was drained */
	__atomic_store_n(&slot->state, DWELL_SESSION_LIVE, __ATOMIC_RELEASE);
	return ring;
}

/* A child of vfork has its parent's memory, this thread's state too, until it goes another way. What it calls is recorded as its parent's,
 * but it must not be the one to begin: record would look for its thread. */
void port_thread_begin(struct dwell_thread *thread)
{
	uint64_t mask = system_block_signals();

	/* A handler that came before they were blocked has begun the thread itself. Later ones come after it: none is lost, and none can
	 * jump out of here and leave the thread without a ring for ever. */
	if (thread->state == DWELL_THREAD_NEW && agent.pid == system_pid()) {
		stacks_begin_thread(thread, (uintptr_t)&mask);
		dwell_thread_begin(thread, agent.session ? make_ring(agent.session) : 0);
	}
	system_restore_signals(mask);
}

void port_event_refused(struct dwell_thread *thread)
{
	struct dwell_session *session = agent.session;

	if (!session || thread->generation != agent.generation)
		return; /* another session begins just now */
	__atomic_fetch_add(thread->state == DWELL_THREAD_BEGINNING ? &session->lost_setup : &session->lost_events, 1, __ATOMIC_RELAXED);
}

/* A page fault costs as much as fifty events: have many pages at once. Where the kernel cannot (before 5.14), they come one by one. */
void port_block_wanted(struct dwell_ring *ring, dwell_pos pos)
{
	if (pos < ring->populated || ring->populated >= ring->bytes)
		return;
	system_madvise((void *)dwell_ring_slot(ring, ring->populated), POPULATE_BYTES, MADV_POPULATE_WRITE);
	ring->populated += POPULATE_BYTES;
	if (PORT_CLOCK_HZ)
		journal_clock();
}
