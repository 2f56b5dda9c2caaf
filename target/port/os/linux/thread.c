/* SPDX-License-Identifier: MIT
 *
 * A thread's first event: a slot of the session, a ring in it.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/overhead.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

__thread struct dwell_thread dwell_this_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

#define NAME_BYTES (128u * 1024u) /* that often a thread looks at its name: a system call in 16,000 events */
#define POPULATE_FIRST_BYTES (16u * 1024u)
#define POPULATE_BYTES (256u * 1024u)

static bool exchange(volatile uint64_t *word, uint64_t expected, uint64_t desired)
{
	return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static bool take(struct dwell_session_slot *slot, uint64_t state)
{
	return exchange(&slot->state, state, dwell_session_state(DWELL_SESSION_TAKEN, agent.pid));
}

static void note_used(struct dwell_session *session, uint32_t index)
{
	uint32_t used = session->slots_used;

	while (used <= index &&
		!__atomic_compare_exchange_n(&session->slots_used, &used, index + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
}

/* The lowest free one, so that memory that was used before is used again. The hint saves looking at thousands that are not free; record
 * lowers it when it gives one back. */
static bool take_free(struct dwell_session *session, uint32_t *index)
{
	struct dwell_session_slot *slots = dwell_session_slots(session);
	uint32_t hint = session->free_hint, count = dwell_session_layout(session)->slot_count;

	if (hint >= count)
		hint = 0;
	for (uint32_t n = 0, i = hint; n < count; n++, i = i + 1 < count ? i + 1 : 0) {
		uint64_t state = slots[i].state; /* once: a moment later it is another thread's, and as good to exchange */

		if (dwell_session_state_of(state) != DWELL_SESSION_FREE || !take(&slots[i], state))
			continue;
		if (session->free_hint == hint)
			session->free_hint = i + 1;
		note_used(session, i);
		*index = i;
		return true;
	}
	return false;
}

/* A thread that ended and nobody has said so yet, or that was killed while it took the slot. */
static bool is_left(const struct dwell_session_slot *slot, uint64_t state)
{
	switch (dwell_session_state_of(state)) {
	case DWELL_SESSION_TAKEN:
		return !system_process_exists((uint32_t)(state >> 32));
	case DWELL_SESSION_LIVE:
		return !system_thread_exists(slot->pid, slot->tid);
	default:
		return false;
	}
}

/* That of the thread that ended first: as record says, else one that is found to have ended. */
static uint32_t find_ended(struct dwell_session *session, uint64_t *state)
{
	struct dwell_session_slot *slots = dwell_session_slots(session);
	uint32_t best = UINT32_MAX, count = dwell_session_layout(session)->slot_count;
	uint64_t oldest = UINT64_MAX;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t seen = slots[i].state;

		if (dwell_session_state_of(seen) == DWELL_SESSION_ENDED && slots[i].ended < oldest) {
			oldest = slots[i].ended;
			best = i;
			*state = seen;
		}
	}
	for (uint32_t i = 0; best == UINT32_MAX && i < count; i++) {
		*state = slots[i].state;
		if (is_left(&slots[i], *state))
			best = i;
	}
	return best;
}

/* What becomes of the thread whose ring is taken: it is told by name, and counted. */
static void give_up(struct dwell_session *session, const struct dwell_session_slot *slot, const struct dwell_ring *ring)
{
	struct {
		uint32_t process, tid, flags, place_kind;
		uint64_t lost_events, reserved;
		char name[16];
	} payload = {slot->process, slot->tid, DWELL_THREAD_ENDED | DWELL_THREAD_GIVEN_UP, DWELL_PLACE_LOW32, ring->lost_events, 0, {0}};

	for (unsigned i = 0; i + 1 < sizeof payload.name; i++)
		payload.name[i] = slot->name[i];
	__atomic_fetch_add(&session->given_up, 1, __ATOMIC_RELAXED);
	journal_append(DWELL_CHUNK_THREAD, &payload, sizeof payload);
}

static bool take_ended(struct dwell_session *session, uint32_t *index)
{
	struct dwell_session_slot *slots = dwell_session_slots(session);
	uint64_t state;

	if (session->mode == DWELL_MODE_STREAM)
		return false; /* what is in them is record's to write */
	while ((*index = find_ended(session, &state)) != UINT32_MAX) {
		if (!take(&slots[*index], state))
			continue;
		if (dwell_session_state_of(state) != DWELL_SESSION_TAKEN)
			give_up(session, &slots[*index], dwell_session_ring(session, *index));
		return true;
	}
	return false;
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
	else
		journal_clock_sometimes();
	if (!take_free(session, &index) && !take_ended(session, &index)) {
		__atomic_fetch_add(&session->lost_threads, 1, __ATOMIC_RELAXED);
		return 0;
	}
	slot = &dwell_session_slots(session)[index];
	slot->process = agent.process;
	slot->pid = agent.pid;
	slot->tid = system_tid();
	slot->is_copy = agent.is_copy && slot->tid == slot->pid;
	slot->begin_ticks = port_now();
	slot->thread = (uint64_t)port_thread();
	system_thread_name(slot->name);
	ring = dwell_ring_begin(dwell_session_ring(session, index), DWELL_RING_HEADER_BYTES,
		dwell_session_layout(session)->slot_bytes, (enum dwell_mode)session->mode, !slot->soiled);
	for (uint32_t i = 0; throttle_is_on && i < DWELL_THROTTLE_END; i++)
		*dwell_throttle_counter(ring, i) = 0;
	/* Of what commits last nobody zeroes what was drained; and of other modes nobody zeroes anything. */
	slot->soiled = ring->commits_last || session->mode != DWELL_MODE_STREAM;
	if (session->room && (session->room < ring->room || !ring->room))
		ring->room = session->room;
	__atomic_store_n(&slot->state, dwell_session_state(DWELL_SESSION_LIVE, slot->tid), __ATOMIC_RELEASE);
	return ring;
}

static void begin_in(struct dwell_thread *thread, struct dwell_session *session, uintptr_t pointer)
{
	uint32_t generation = agent.generation;

	stacks_begin_thread(thread, pointer);
	dwell_thread_begin(thread, make_ring(session));
	thread->generation = generation;
	/* Another session was joined meanwhile, and whoever did that may have looked for rings too early for this one. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&agent.session, __ATOMIC_SEQ_CST) != session || agent.generation != generation) {
		thread->ring = 0;
		thread->state = DWELL_THREAD_NEW;
	}
}

/* A child of vfork has its parent's memory, this thread's state too, until it goes another way. What it calls is recorded as its parent's,
 * but it must not be the one to begin: record would look for its thread. */
void port_thread_begin(struct dwell_thread *thread)
{
	uint64_t mask = system_block_signals();

	/* A handler that came before they were blocked has begun the thread itself. Later ones come after it: none is lost, and none can
	 * jump out of here and leave the thread without a ring for ever. */
	if (thread->state == DWELL_THREAD_NEW && agent.pid == system_pid()) {
		struct dwell_session *session = __atomic_load_n(&agent.session, __ATOMIC_SEQ_CST);

		/* Between two sessions there is none to begin in: the next event looks again. */
		if (session && !session->closed)
			begin_in(thread, session, (uintptr_t)&mask);
	}
	system_restore_signals(mask);
}

void port_event_refused(struct dwell_thread *thread)
{
	struct dwell_session *session = agent.session;

	if (!session || session->closed || thread->generation != agent.generation)
		return; /* it is over, or another one begins just now */
	__atomic_fetch_add(thread->state == DWELL_THREAD_REFUSED ? &session->lost_events : &session->lost_setup, 1, __ATOMIC_RELAXED);
}

/* Where memory was taken away from what was drained, it is brought in again lap by lap. */
static bool wants_memory(const struct dwell_ring *ring, dwell_pos pos)
{
	return pos >= ring->populated && (ring->populated < ring->bytes || agent.session->thrift);
}

/* A page fault costs as much as fifty events: have many pages at once, more and more of them, since most threads are short. Where the
 * kernel cannot (before 5.14), they come one by one. */
void port_block_wanted(struct dwell_ring *ring, dwell_pos pos)
{
	struct dwell_session *session = agent.session;

	if (wants_memory(ring, pos)) {
		dwell_pos bytes = pos < POPULATE_FIRST_BYTES ? POPULATE_FIRST_BYTES : pos < POPULATE_BYTES ? pos : POPULATE_BYTES;
		dwell_pos to_wrap = ring->bytes - (pos & (ring->bytes - 1));

		system_madvise((void *)dwell_ring_slot(ring, pos), bytes < to_wrap ? bytes : to_wrap, MADV_POPULATE_WRITE);
		ring->populated = pos + (bytes < to_wrap ? bytes : to_wrap);
		if (PORT_CLOCK_HZ)
			journal_clock();
	}
	if (pos == DWELL_BLOCK_BYTES || (pos & (NAME_BYTES - 1)) == 0)
		names_look(ring);
	if (session->mode != DWELL_MODE_STREAM)
		journal_clock_sometimes();
	overhead_look();
}
