/* SPDX-License-Identifier: MIT
 *
 * A thread that finds its ring full where nothing may be lost (record --count): it waits for record, and when record does not come, it
 * counts its own calls.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#define WAIT_NS 100000u
#define WAITS_MAX 50000u  /* for nothing: five seconds */
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

static struct dwell_relay *relay_of(struct dwell_session *session, uint32_t slot)
{
	return agent.has_relays ? dwell_session_relay(session, slot) : 0;
}

static struct dwell_relay *find_relay(struct dwell_session *session, const struct dwell_ring *ring)
{
	return relay_of(session, (uint32_t)(((uint64_t)ring - (uint64_t)session - session->rings_offset) / session->slot_bytes));
}

void wait_begin(struct dwell_session *session, uint32_t slot)
{
	struct dwell_relay *relay = relay_of(session, slot);

	if (relay)
		dwell_relay_begin(relay, turnovers_of(session));
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

/* Who drains may be killed, or held up for long: nobody waits for him any more. */
bool port_block_wait(struct dwell_ring *ring, dwell_pos pos)
{
	struct dwell_session *session = agent.session;
	dwell_pos consumed = ring->consumed;
	uint32_t waits = 0, quiet = 0; /* in vain; and while record did nothing at all */
	uint64_t began_ns, word = 0;

	if (!session || !session->waits)
		return false;
	began_ns = system_clock_ns(1);
	while (!has_room(ring, pos)) {
		struct dwell_relay *relay = find_relay(session, ring);

		if (session->closed || !session->waits)
			return false;
		if (consumed != ring->consumed)
			waits = quiet = 0;
		if (relay && dwell_relay_load(relay) != word)
			quiet = 0;
		consumed = ring->consumed;
		if (waits++ == WAITS_MAX || !system_process_exists(session->owner_pid)) {
			session->waits = 0;
			return false;
		}
		if (relay && (quiet == WAITS_BEFORE || quiet == WAITS_STALLED)) {
			if (count_calls(session, ring, pos, quiet == WAITS_STALLED))
				continue;
			quiet = quiet == WAITS_STALLED ? 0 : quiet;
		}
		word = relay ? dwell_relay_load(relay) : 0;
		system_sleep_ns(WAIT_NS);
		quiet++;
	}
	__atomic_fetch_add(&session->waited_ns, system_clock_ns(1) - began_ns, __ATOMIC_RELAXED);
	return true;
}
