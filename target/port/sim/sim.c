/* SPDX-License-Identifier: MIT
 *
 * The simulated machine; see sim.h.
 */
#include "port/sim/sim.h"

#include "port/widen.h"
#include "recorder/trace.h"

struct sim sim;

static struct dwell_thread the_thread;
static volatile dwell_pos half_turns;

void sim_begin(struct dwell_ring *ring)
{
	the_thread = (struct dwell_thread){0};
	half_turns = 0;
	sim = (struct sim){.step = 1, .ring = ring, .interrupt_at = UINT64_MAX};
}

void sim_operation(void)
{
	if (sim.operations++ == sim.interrupt_at)
		sim.interrupt(sim.context);
}

static uint64_t read_clock(void)
{
	uint64_t now;

	sim_operation();
	now = sim.now += sim.step;
	sim_operation();
	return now;
}

uint32_t sim_counter(void)
{
	return (uint32_t)read_clock();
}

uint64_t port_now(void)
{
	return sim.narrow ? port_widen32(&half_turns, sim_counter) : read_clock();
}

bool port_compare_exchange(volatile dwell_pos *word, dwell_pos expected, dwell_pos desired)
{
	bool done;

	sim_operation();
	done = *word == expected;
	if (done)
		*word = desired;
	sim_operation();
	return done;
}

bool port_push(struct dwell_ring *ring, dwell_pos expected, const uint64_t *slots, unsigned count)
{
	if (!port_compare_exchange(&ring->pos, expected, expected + count * DWELL_SLOT_BYTES))
		return false;
	for (unsigned i = 0; i < count; i++) {
		*dwell_ring_slot(ring, expected + i * DWELL_SLOT_BYTES) = slots[i];
		sim_operation();
	}
	return true;
}

bool port_site_is_interrupt(uintptr_t site)
{
	return site == SIM_INTERRUPT_SITE;
}

enum dwell_wait port_block_wait(struct dwell_ring *ring, dwell_pos pos)
{
	enum dwell_wait result = DWELL_WAIT_NONE;

	sim_operation();
	/* A handler may have opened the block meanwhile. */
	if (sim.wait)
		result = ring->pos == pos ? sim.wait() : DWELL_WAIT_ROOM;
	sim_operation();
	return result;
}

struct dwell_thread *port_thread(void)
{
	return &the_thread;
}

void port_thread_begin(struct dwell_thread *thread)
{
	if (sim.cannot_mask) {
		thread->state = DWELL_THREAD_BEGINNING;
		sim_operation();
	}
	dwell_thread_begin(thread, sim.ring);
}

void port_event_refused(struct dwell_thread *thread)
{
	if (thread->state == DWELL_THREAD_BEGINNING)
		sim.refused_setup++;
	else
		sim.refused_events++;
}
