/* A thread that waits for room in its ring: nothing is lost, and the stream says from when to when it waited. */
#include "machine.h"

#define PAUSE 1000u

static uint64_t waits, handler_events;

static enum dwell_wait wait_until_drained(void)
{
	const struct dwell_ring *ring = machine.ring;

	waits++;
	sim.now += PAUSE;
	machine_drain(false);
	return ring->pos + DWELL_BLOCK_BYTES - ring->consumed <= ring->room ? DWELL_WAIT_ROOM : DWELL_WAIT_FAILED;
}

/* The clock goes on with each reading, and a handler's events take time. */
static void check_held(uint64_t times)
{
	CHECK(machine.pair.held_ticks >= times * PAUSE);
	CHECK(machine.pair.held_ticks <= times * (PAUSE + 16));
}

TEST(a_wait_is_said)
{
	waits = 0;
	machine_begin(DWELL_MODE_STREAM, 2);
	sim.wait = wait_until_drained;
	machine_walk(15000);
	machine_drain(false);
	CHECK(waits > 10);
	CHECK_EQ(machine.fold.summary.events, 15000);
	CHECK_EQ(machine.ring->lost_events, 0);
	CHECK_EQ(machine.pair.depth, machine.depth);
	check_held(waits);
	machine_finish();
	CHECK_EQ(machine.pair.lost_ticks, 0);
}

/* The clock's high half goes on meanwhile. */
TEST(a_wait_over_the_turn_of_the_clock)
{
	waits = 0;
	machine_begin(DWELL_MODE_STREAM, 2);
	sim.wait = wait_until_drained;
	machine_walk(1000);
	sim.now = UINT64_C(0xffffffff) - PAUSE / 2;
	machine_walk(1000);
	machine_drain(false);
	CHECK_EQ(waits, 1);
	CHECK_EQ(machine.fold.summary.events, 2000);
	check_held(1);
	machine_finish();
}

static enum dwell_wait wait_in_vain(void)
{
	if (waits++)
		return DWELL_WAIT_NONE; /* as long as nothing changes */
	sim.now += PAUSE;
	return DWELL_WAIT_FAILED;
}

/* First it waited, then it lost: the one is no part of the other. */
TEST(what_comes_behind_a_wait_in_vain_is_lost)
{
	waits = 0;
	machine_begin(DWELL_MODE_STREAM, 2);
	sim.wait = wait_in_vain;
	machine_walk(1022 + 300);
	CHECK_EQ(machine.ring->lost_events, 300);
	machine_drain(false);
	machine_walk(100);
	machine_drain(false);
	CHECK_EQ(machine.pair.lost_events, 300);
	CHECK_EQ(machine.fold.summary.events, 1022 + 100);
	check_held(1);
	machine_finish();
	CHECK(machine.pair.lost_ticks > 300);
}

static enum dwell_wait leave(void)
{
	return DWELL_WAIT_RING_LOST;
}

/* What another thread has by now is not written to. */
TEST(a_ring_that_was_left_is_not_touched)
{
	struct dwell_ring before;

	machine_begin(DWELL_MODE_STREAM, 2);
	sim.wait = leave;
	machine_walk(1022);
	before = *machine.ring;
	machine_walk(1);
	CHECK_EQ(machine.ring->pos, before.pos);
	CHECK_EQ(machine.ring->lost_events, 0);
	CHECK_EQ(machine.ring->gap_events, 0);
}

/* A handler that is instrumented, with so many events that it has to wait itself. */
static void handle(void *context)
{
	(void)context;
	for (uint32_t i = 0; i < 700; i++) {
		dwell_trace(
			port_thread(), (void *)(uintptr_t)MACHINE_PLACE(i % 2), (void *)(uintptr_t)SIM_INTERRUPT_SITE, DWELL_ENTER);
		dwell_trace(
			port_thread(), (void *)(uintptr_t)MACHINE_PLACE(i % 2), (void *)(uintptr_t)SIM_INTERRUPT_SITE, DWELL_EXIT);
		handler_events += 2;
	}
}

/* At each operation around one that waits. */
TEST(a_handler_meanwhile)
{
	uint64_t whole = 0;

	for (uint64_t at = 0; at < 60; at++) {
		handler_events = waits = 0;
		machine_begin(DWELL_MODE_STREAM, 2);
		sim.wait = wait_until_drained;
		machine_walk(1018);
		sim.interrupt = handle;
		sim.interrupt_at = sim.operations + at;
		machine_walk(40);
		sim.interrupt_at = UINT64_MAX;
		machine_drain(false);
		machine_walk(2000);
		machine_drain(false);
		CHECK_EQ(handler_events, 1400);
		CHECK_EQ(machine.fold.summary.events + machine.pair.lost_events, machine.count + handler_events);
		CHECK_EQ(machine.pair.lost_events, machine.ring->lost_events);
		CHECK(machine.pair.held_ticks <= waits * (PAUSE + 64));
		CHECK_EQ(machine.pair.backward_events, 0);
		dwell_fold_finish(&machine.fold);
		CHECK(dwell_pair_check(&machine.pair));
		if (machine.ring->lost_events)
			continue;
		/* Where it interrupted a claim, which it cannot wait for, it has lost some. */
		CHECK(machine.pair.held_ticks >= waits * PAUSE);
		CHECK_EQ(machine.pair.depth, 0);
		whole++;
	}
	CHECK(whole > 20);
}

int main(void)
{
	RUN(a_wait_is_said);
	RUN(a_wait_over_the_turn_of_the_clock);
	RUN(what_comes_behind_a_wait_in_vain_is_lost);
	RUN(a_ring_that_was_left_is_not_touched);
	RUN(a_handler_meanwhile);
	return tap_done();
}
