/* SPDX-License-Identifier: MIT
 *
 * A thread that finds its ring full where nothing may be lost: it waits for record, which wakes it. With --count, when record does not
 * come, it counts its own calls.
 *
 * It needs nothing of record but that it drains; and record, to drain, needs nothing of the program. So however many locks a thread holds
 * that waits here, it goes on as soon as record does. When record is gone, or has done nothing for too long, it goes on without.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#define WAIT_NS 100000u
#define LOOK_NS 20000000u /* between two looks whether record is still there */
#define BLOCKED_MAX 3u
#define WAITS_BEFORE 1u   /* record makes room sooner than the thread, if it is at it */
#define WAITS_STALLED 32u /* it has stopped in the middle: what it is at would take a millisecond */
#define TURN_BYTES (2u << 20) /* counted at a time, or a quarter of the ring: no handler runs meanwhile */
#define MADV_REMOVE 9

static bool has_room(const struct dwell_ring *ring, dwell_pos pos)
{
	return pos + DWELL_BLOCK_BYTES - ring->consumed <= ring->room;
}

static uint64_t turnovers_of(const struct dwell_session *session)
{
	return __atomic_load_n(&session->turnovers, __ATOMIC_SEQ_CST);
}

static struct dwell_relay *find_relay(struct dwell_session *session, const struct dwell_ring *ring)
{
	return dwell_session_relay(session, dwell_session_slot_of(session, ring));
}

void wait_begin(struct dwell_session *session, uint32_t slot)
{
	struct dwell_relay *relay = dwell_session_relay(session, slot);

	if (relay)
		dwell_relay_begin(relay, turnovers_of(session), dwell_session_slots(session)[slot].is_copy);
}

/* Slots from position on that lie in one piece, and are written. */
static uint32_t find_piece(struct dwell_ring *ring, dwell_pos position, dwell_pos end)
{
	dwell_pos to_wrap = ring->bytes - (position & (ring->bytes - 1));
	uint32_t count = (uint32_t)((end - position < to_wrap ? end - position : to_wrap) / DWELL_SLOT_BYTES), written = 0;
	volatile uint64_t *slots = dwell_ring_slot(ring, position);

	if (ring->commits_last)
		return count;
	while (written < count && slots[written])
		written++;
	return written;
}

/* What was counted may be written again. */
static void give_back(struct dwell_session *session, struct dwell_ring *ring, dwell_pos position)
{
	for (dwell_pos at = ring->consumed; at != position && !ring->commits_last; at += DWELL_SLOT_BYTES)
		*dwell_ring_slot(ring, at) = 0;
	if (session->thrift)
		for (dwell_pos at = (ring->consumed + DWELL_BLOCK_BYTES - 1) / DWELL_BLOCK_BYTES * DWELL_BLOCK_BYTES, bytes;
			at + DWELL_BLOCK_BYTES <= position; at += bytes) {
			dwell_pos to_wrap = ring->bytes - (at & (ring->bytes - 1));

			bytes = (position - at) / DWELL_BLOCK_BYTES * DWELL_BLOCK_BYTES;
			bytes = bytes < to_wrap ? bytes : to_wrap;
			system_madvise((void *)dwell_ring_slot(ring, at), bytes, MADV_REMOVE);
		}
	__atomic_store_n(&ring->consumed, position, __ATOMIC_RELEASE);
}

/* How far a turn goes: what record has counted already does not keep it from making room. */
static dwell_pos find_end(const struct dwell_ring *ring, const struct dwell_relay_turn *turn, dwell_pos end)
{
	dwell_pos from = turn->counted > turn->position ? turn->counted : turn->position;
	dwell_pos most = ring->room / 4 < TURN_BYTES ? ring->room / 4 : TURN_BYTES;

	return end > from && end - from > most ? from + most : end;
}

/* Counts calls of the ring, up to end at the most. False: that is not for the thread now. */
static bool take_turn(struct dwell_session *session, struct dwell_ring *ring, dwell_pos end, bool stalled)
{
	struct dwell_relay *relay = find_relay(session, ring);
	struct dwell_relay_turn turn;
	bool moved = false;

	if (!relay || !dwell_relay_take(relay, &turn, stalled, turnovers_of(session)))
		return false;
	/* Whoever had the turn before was killed, or held up, before he said that he needs them no more. */
	if (turn.position > ring->consumed && turn.position <= end) {
		give_back(session, ring, turn.position);
		moved = true;
	}
	end = find_end(ring, &turn, end);
	while (turn.position < end) {
		uint32_t count = find_piece(ring, turn.position, end);

		if (!count || dwell_relay_fold(&turn, (const uint64_t *)dwell_ring_slot(ring, turn.position), count, stalled) < count)
			break;
	}
	if (!dwell_relay_commit(&turn))
		return moved;
	give_back(session, ring, turn.position);
	dwell_relay_release(&turn);
	return true;
}

/* No handler may come that has hooks: it would find the turn to be its own. */
static bool count_calls(struct dwell_session *session, struct dwell_ring *ring, dwell_pos end, bool stalled)
{
	uint64_t mask = system_block_signals(), began_ns = system_clock_ns(1);
	bool counted = take_turn(session, ring, end, stalled);

	__atomic_fetch_add(&session->folded_ns, system_clock_ns(1) - began_ns, __ATOMIC_RELAXED);
	system_restore_signals(mask);
	return counted;
}

static void note_longest(struct dwell_session *session, uint64_t ns)
{
	uint64_t longest = session->longest_wait_ns;

	while (ns > longest &&
		!__atomic_compare_exchange_n(&session->longest_wait_ns, &longest, ns, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* Whether record is gone. Where the kernel does not say so, a zombie passes for one that is there, and another process's number, too. */
static bool is_abandoned(const struct dwell_session *session)
{
	return session->owner ? session->owner & DWELL_SESSION_OWNER_DIED : !system_process_exists(session->owner_pid);
}

/* Whether waiting has any sense: not where this ring's thread, or any other, has done so in vain and nothing has happened since. */
static bool is_worthwhile(const struct dwell_session *session, const struct dwell_ring *ring)
{
	return session->waits && !session->closed && ring->vain != ring->consumed + 1 && session->vain_sweeps != session->sweeps + 1;
}

/* Whether what is to be drained next is an event that this very thread has claimed, and writes when the handler that waits here returns. */
static bool is_behind_own(struct dwell_ring *ring, dwell_pos pos)
{
	return !ring->commits_last && ring->consumed != pos && !*dwell_ring_slot(ring, ring->consumed);
}

/* Record wakes the thread when half the ring is free, so that it does not sleep for each block. It may have some room sooner. */
static void sleep_on(struct dwell_ring *ring, dwell_pos pos, uint32_t ns)
{
	__atomic_store_n(&ring->waiting, 1, __ATOMIC_SEQ_CST);
	if (!has_room(ring, pos) && !system_sleep_on(&ring->waiting, 1, ns))
		system_sleep_ns(WAIT_NS);
}

/* Who drains may be killed, or held up for long. A handler that comes here meanwhile may record, wait, jump away, or fork. */
static enum dwell_wait wait_for_room(struct dwell_session *session, struct dwell_ring *ring, dwell_pos pos, uint64_t began_ns)
{
	uint64_t tries = session->wait_max_ns / WAIT_NS, word = 0;
	uint32_t quiet = 0, blocked = 0; /* looks at which record had done nothing at all, and could not do anything */
	dwell_pos consumed = ring->consumed;

	while (!has_room(ring, pos)) {
		struct dwell_relay *relay = find_relay(session, ring);

		if (session->closed || !session->waits)
			return DWELL_WAIT_IN_VAIN;
		if (is_abandoned(session)) {
			session->waits = 0;
			return DWELL_WAIT_IN_VAIN;
		}
		blocked = is_behind_own(ring, pos) ? blocked + 1 : 0;
		if (!tries-- || blocked == BLOCKED_MAX || system_clock_ns(1) - began_ns >= session->wait_max_ns) {
			ring->vain = ring->consumed + 1;
			if (blocked != BLOCKED_MAX)
				session->vain_sweeps = session->sweeps + 1;
			return DWELL_WAIT_IN_VAIN;
		}
		if (consumed != ring->consumed || (relay && dwell_relay_load(relay) != word))
			quiet = 0;
		consumed = ring->consumed;
		if (relay && (quiet == WAITS_BEFORE || quiet == WAITS_STALLED)) {
			if (count_calls(session, ring, pos, quiet == WAITS_STALLED))
				continue;
			quiet = quiet == WAITS_STALLED ? 0 : quiet;
		}
		word = relay ? dwell_relay_load(relay) : 0;
		sleep_on(ring, pos, relay ? WAIT_NS : LOOK_NS);
		/* In the child of a handler that forked, or where the session was left, it is another thread's. */
		if (dwell_this_thread.ring != ring)
			return DWELL_WAIT_LEFT;
		quiet++;
	}
	return DWELL_WAIT_ROOM;
}

enum dwell_wait port_block_wait(struct dwell_ring *ring, dwell_pos pos)
{
	struct dwell_session *session = agent.session;
	enum dwell_wait result;
	uint64_t began_ns, ns;

	if (!session || dwell_this_thread.ring != ring || !is_worthwhile(session, ring))
		return DWELL_WAIT_NONE;
	began_ns = system_clock_ns(1);
	result = wait_for_room(session, ring, pos, began_ns);
	if (result == DWELL_WAIT_LEFT)
		return result;
	ns = system_clock_ns(1) - began_ns;
	__atomic_fetch_add(&session->waited_ns, ns, __ATOMIC_RELAXED);
	note_longest(session, ns);
	return result;
}
