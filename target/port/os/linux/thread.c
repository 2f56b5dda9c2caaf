/* SPDX-License-Identifier: MIT
 *
 * Begins a thread with its first event: takes a slot of the session and makes a ring in it.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/overhead.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

__thread struct dwell_thread dwell_this_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

#define NAME_BYTES (128u * 1024u) /* bytes of events between two readings of the name: one system call in 16,000 events */
#define POPULATE_FIRST_BYTES (16u * 1024u)
#define POPULATE_BYTES (256u * 1024u)

static bool exchange(volatile uint64_t *word, uint64_t expected, uint64_t desired)
{
	return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static bool take(struct dwell_session_slot *slot, uint64_t state)
{
	return exchange(&slot->state, state, dwell_session_state(DWELL_SESSION_TAKEN, agent.number));
}

/* Gives the slot back: this process cannot map the slot's ring. */
static void give_back(struct dwell_session_slot *slot, uint64_t state)
{
	exchange(&slot->state, dwell_session_state(DWELL_SESSION_TAKEN, agent.number), state);
}

static void note_used(struct dwell_session *session, uint32_t index)
{
	uint32_t used = session->slots_used;

	while (used <= index &&
		!__atomic_compare_exchange_n(&session->slots_used, &used, index + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
}

/* Takes the lowest free slot, to reuse memory. The hint saves a search through thousands of used slots; record lowers the
 * hint when it frees a slot. */
static bool take_free(struct dwell_session *session, uint32_t *index)
{
	struct dwell_session_slot *slots = dwell_session_slots(session);
	uint32_t hint = session->free_hint, count = dwell_session_layout(session)->slot_count;

	if (hint >= count)
		hint = 0;
	for (uint32_t n = 0, i = hint; n < count; n++, i = i + 1 < count ? i + 1 : 0) {
		/* Read once: if another thread takes and frees the slot in between, the exchange is as good. */
		uint64_t state = slots[i].state;

		if (dwell_session_state_of(state) != DWELL_SESSION_FREE || !take(&slots[i], state))
			continue;
		if (!parts_ring(session, i)) {
			give_back(&slots[i], state);
			return false;
		}
		if (session->free_hint == hint)
			session->free_hint = i + 1;
		note_used(session, i);
		*index = i;
		return true;
	}
	return false;
}

/* Whether the slot's thread has ended unnoticed, or was killed while taking the slot. */
static bool is_abandoned(const struct dwell_session_slot *slot, uint64_t state)
{
	/* From inside a namespace, tasks outside are invisible; and a number from another namespace has no meaning here. */
	if (agent.is_inside || (state >> 32 | slot->pid | slot->tid) & DWELL_TASK_INNER)
		return false;
	switch (dwell_session_state_of(state)) {
	case DWELL_SESSION_TAKEN:
		return !system_process_exists((uint32_t)(state >> 32));
	case DWELL_SESSION_LIVE:
		return !system_thread_exists(slot->pid, slot->tid);
	default:
		return false;
	}
}

/* Returns the slot of the thread that ended first, as noted by record; else of a thread that has ended unnoticed; UINT32_MAX: there
 * is none. *state: the slot's state. */
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
		if (is_abandoned(&slots[i], *state))
			best = i;
	}
	return best;
}

/* Reports the thread that loses its ring to this one: the name goes into the journal, and the session counts the loss. */
static void report_given_up(struct dwell_session *session, const struct dwell_session_slot *slot, const struct dwell_ring *ring)
{
	struct {
		uint32_t process, tid, flags, place_kind;
		uint64_t lost_events, reserved;
		char name[16];
	} payload = {
		slot->process, slot->tid, DWELL_THREAD_ENDED | DWELL_THREAD_GIVEN_UP, DWELL_PLACE_LOW32, ring->lost_events, 0, {0}};

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
		return false; /* record still has to write the ended thread's events */
	while ((*index = find_ended(session, &state)) != UINT32_MAX) {
		if (!take(&slots[*index], state))
			continue;
		if (!parts_ring(session, *index)) {
			give_back(&slots[*index], state);
			return false;
		}
		if (dwell_session_state_of(state) != DWELL_SESSION_TAKEN)
			report_given_up(session, &slots[*index], dwell_session_ring(session, *index));
		return true;
	}
	return false;
}

/* The first thread that records sets the session's machine and clock; a process of another machine is refused. */
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

static struct dwell_ring *make_ring(struct dwell_session *session, uint64_t ticks)
{
	struct dwell_session_slot *slot;
	struct dwell_ring *ring;
	uint32_t index;

	if (session->closed || !agree_on_machine(session))
		return 0;
	if (PORT_CLOCK_HZ)
		journal_clock();
	else
		journal_clock_if_due();
	if (!take_free(session, &index) && !take_ended(session, &index)) {
		__atomic_fetch_add(&session->lost_threads, 1, __ATOMIC_RELAXED);
		return 0;
	}
	slot = &dwell_session_slots(session)[index];
	slot->process = agent.process;
	slot->pid = agent.number;
	slot->tid = numbers_thread(session);
	slot->is_copy = agent.is_copy && slot->tid == slot->pid;
	slot->begin_ticks = ticks;
	slot->thread = (uint64_t)port_thread();
	system_thread_name(slot->name);
	ring = dwell_ring_begin(dwell_session_ring(session, index), DWELL_RING_HEADER_BYTES,
		dwell_session_layout(session)->slot_bytes, (enum dwell_mode)session->mode, !slot->dirty);
	for (uint32_t i = 0; throttle_is_on && i < DWELL_THROTTLE_END; i++)
		*dwell_throttle_counter(ring, i) = 0;
	/* record zeroes drained slots only in mode stream, and not if the claim commits last. In all other cases the ring stays
	 * dirty. */
	slot->dirty = ring->commits_last || session->mode != DWELL_MODE_STREAM;
	if (session->room && (session->room < ring->room || !ring->room))
		ring->room = session->room;
	__atomic_store_n(&slot->state, dwell_session_state(DWELL_SESSION_LIVE, slot->tid), __ATOMIC_RELEASE);
	return ring;
}

static void begin_in(struct dwell_thread *thread, struct dwell_session *session, uintptr_t pointer)
{
	uint32_t generation = agent.generation;
	uint64_t ticks = port_now();
	struct dwell_ring *ring;

	stacks_begin_thread(thread, pointer);
	ring = make_ring(session, ticks);
	if (ring) { /* the first event writes HELD for this work; signals are blocked, so no handler comes in between */
		ring->held_ticks = ticks;
		ring->held_end_ticks = port_now();
		ring->held = DWELL_RESUME_DUE;
	}
	dwell_thread_begin(thread, ring);
	thread->generation = generation;
	/* Another thread may have left the session meanwhile: membership_end() may have searched for rings before this ring was in
	 * its slot. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&agent.session, __ATOMIC_SEQ_CST) != session || agent.generation != generation) {
		thread->ring = 0;
		thread->state = DWELL_THREAD_NEW;
	}
}

/* Until exec or exit, a child of vfork has the parent's memory, including the thread's state. The child's calls count as the
 * parent's, but the child must not begin the thread: record would look for the child's thread. */
void port_thread_begin(struct dwell_thread *thread)
{
	uint64_t mask = system_block_signals();

	/* A handler that came before signals were blocked may have begun the thread. Later handlers wait until the thread has
	 * begun: so no event is lost. Nor can a handler jump out of here and leave the thread without a ring for ever. */
	if (thread->state == DWELL_THREAD_NEW && agent.pid == system_pid()) {
		struct dwell_session *session = __atomic_load_n(&agent.session, __ATOMIC_SEQ_CST);

		/* Between two sessions there is no ring to get; the next event tries again. */
		if (session && !session->closed)
			begin_in(thread, session, (uintptr_t)&mask);
	}
	system_restore_signals(mask);
}

void port_event_refused(struct dwell_thread *thread)
{
	struct dwell_session *session = agent.session;

	if (!session || session->closed || thread->generation != agent.generation)
		return; /* the session is over, or another one is being joined */
	__atomic_fetch_add(
		thread->state == DWELL_THREAD_REFUSED ? &session->lost_events : &session->lost_setup, 1, __ATOMIC_RELAXED);
}

/* Whether the block's pages may be missing: in the first lap, and in every lap if record gives drained memory back. */
static bool wants_memory(const struct dwell_ring *ring, dwell_pos pos)
{
	return pos >= ring->populated && (ring->populated < ring->bytes || agent.session->low_memory);
}

/* A page fault costs as much as fifty events. So one system call makes many pages present, and more with each call: most threads
 * are short. Before Linux 5.14 pages fault one by one. */
void port_block_wanted(struct dwell_ring *ring, dwell_pos pos)
{
	struct dwell_session *session = agent.session;

	if (wants_memory(ring, pos)) {
		dwell_pos bytes = pos < POPULATE_FIRST_BYTES ? POPULATE_FIRST_BYTES : pos < POPULATE_BYTES ? pos : POPULATE_BYTES;
		dwell_pos to_wrap = ring->bytes - (pos & (ring->bytes - 1)), room = ring->room;

		if (session->low_memory && room && bytes > room) /* the thread gets no further before record gives memory back */
			bytes = room;
		system_madvise((void *)dwell_ring_slot(ring, pos), bytes < to_wrap ? bytes : to_wrap, MADV_POPULATE_WRITE);
		ring->populated = pos + (bytes < to_wrap ? bytes : to_wrap);
		if (PORT_CLOCK_HZ)
			journal_clock();
	}
	if (pos == DWELL_BLOCK_BYTES || (pos & (NAME_BYTES - 1)) == 0)
		names_update(ring);
	if (session->mode != DWELL_MODE_STREAM)
		journal_clock_if_due();
	overhead_measure();
}
