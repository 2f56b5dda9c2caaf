/* SPDX-License-Identifier: MIT
 *
 * Makes a thread wait for record when its ring is full and nothing may be lost; record wakes the thread.
 *
 * The thread only needs record to drain, and record needs nothing of the program for that. So a waiting thread goes on
 * as soon as record does, whatever locks the thread holds. If record is gone, or does nothing for too long, the thread
 * goes on without waiting.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#define WAIT_NS 100000u /* a sleep without a futex; a wait has wait_max_ns / WAIT_NS tries */
#define LOOK_NS 20000000u /* between two checks whether record still runs */
#define BLOCKED_MAX 3u   /* rounds in a row that is_behind_own() may find, before the wait fails */

static bool has_room(const struct dwell_ring *ring, dwell_pos pos)
{
	return pos + DWELL_BLOCK_BYTES - ring->consumed <= ring->room;
}

static void note_longest(struct dwell_session *session, uint64_t ns)
{
	uint64_t longest = session->longest_wait_ns;

	while (ns > longest &&
		!__atomic_compare_exchange_n(&session->longest_wait_ns, &longest, ns, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* Whether record is gone. Without the kernel's notice (owner), a zombie counts as running, and so does another
 * process with the same number. */
static bool is_abandoned(const struct dwell_session *session)
{
	return session->owner ? session->owner & DWELL_SESSION_OWNER_DIED : !system_process_exists(session->owner_pid);
}

/* Whether waiting makes sense. No, if the session does not wait, or is closed. No, if the ring refused a block, and record has
 * drained nothing of the ring since. No, if any thread has waited in vain, and record has made no sweep since. */
static bool is_worthwhile(const struct dwell_session *session, const struct dwell_ring *ring)
{
	return session->waits && !session->closed && ring->refused != ring->consumed + 1 &&
	       session->failed_wait_sweeps != session->sweeps + 1;
}

/* Whether the waiting thread itself has claimed the next slot to drain: the slot stays empty until the waiting handler returns. */
static bool is_behind_own(struct dwell_ring *ring, dwell_pos pos)
{
	return !ring->commits_last && ring->consumed != pos && !*dwell_ring_slot(ring, ring->consumed);
}

/* Sleeps for ns at most. For a stream, record wakes the thread when half the ring is free, so the thread need not sleep for each
 * block. The ring may have room sooner. */
static void sleep_on(struct dwell_ring *ring, dwell_pos pos, uint32_t ns)
{
	__atomic_store_n(&ring->waiting, 1, __ATOMIC_SEQ_CST);
	if (!has_room(ring, pos) && !system_sleep_on(&ring->waiting, 1, ns))
		system_sleep_ns(WAIT_NS);
}

/* The drainer may be killed, or held up for long. A handler that interrupts this may record, wait, jump away, or fork. */
static enum dwell_wait wait_for_room(struct dwell_session *session, struct dwell_ring *ring, dwell_pos pos, uint64_t began_ns)
{
	uint64_t tries = session->wait_max_ns / WAIT_NS;
	uint32_t blocked = 0; /* number of rounds in which record could not drain anything */

	while (!has_room(ring, pos)) {
		if (session->closed || !session->waits)
			return DWELL_WAIT_FAILED;
		if (is_abandoned(session)) {
			session->waits = 0;
			return DWELL_WAIT_FAILED;
		}
		blocked = is_behind_own(ring, pos) ? blocked + 1 : 0;
		if (!tries-- || blocked == BLOCKED_MAX || system_clock_ns(1) - began_ns >= session->wait_max_ns) {
			if (blocked != BLOCKED_MAX)
				session->failed_wait_sweeps = session->sweeps + 1;
			return DWELL_WAIT_FAILED;
		}
		sleep_on(ring, pos, LOOK_NS);
		/* A handler may have forked, and this is the child; or another thread has left the session. Then the ring is no
		 * longer this thread's. */
		if (dwell_this_thread.ring != ring)
			return DWELL_WAIT_RING_LOST;
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
	if (result == DWELL_WAIT_RING_LOST)
		return result;
	ns = system_clock_ns(1) - began_ns;
	__atomic_fetch_add(&session->waited_ns, ns, __ATOMIC_RELAXED);
	note_longest(session, ns);
	return result;
}
