/* Time in the ring: epochs, sleeps of any length, a counter of 32 bits. */
#include "machine.h"

static void check_stamps(void)
{
	struct dwell_slot_cursor cursor = {0};
	uint32_t at_event = 0;

	for (dwell_pos at = 0; at != machine.ring->pos; at += DWELL_SLOT_BYTES) {
		struct dwell_slot_event event = {0};

		dwell_slot_decode(&cursor, *dwell_ring_slot(machine.ring, at), &event);
		if (event.kind == DWELL_SLOT_ENTER || event.kind == DWELL_SLOT_EXIT)
			CHECK_EQ(event.ticks, machine.events[at_event++].ticks);
	}
	CHECK_EQ(at_event, machine.count);
}

TEST(sleeps_of_any_length)
{
	machine_begin(DWELL_MODE_LINEAR, 16);
	for (uint32_t i = 0; i < 2000; i++) {
		machine_walk(1 + machine_pick(3));
		sim.now += UINT64_C(1) << machine_pick(44);
	}
	CHECK(sim.now >> 40);
	check_stamps();
	machine_read();
	machine_finish();
	machine_check_truth();
}

/* The clock's high half changes at each place in a block. */
TEST(new_epoch_at_each_slot)
{
	for (uint32_t before = 0; before < 2 * DWELL_BLOCK_SLOTS; before++) {
		machine_begin(DWELL_MODE_LINEAR, 4);
		sim.now = UINT32_MAX - 60u * 600; /* not before it is set, too */
		machine_walk(before);
		sim.now = UINT64_C(0x700000000) - 3;
		machine_walk(8);
		check_stamps();
		CHECK_EQ(machine.ring->lost_events, 0);
	}
}

TEST(stamps_at_the_seam)
{
	for (int before = -4; before <= 4; before++) {
		machine_begin(DWELL_MODE_LINEAR, 2);
		machine_walk(3);
		sim.now = (UINT64_C(1) << 32) + (uint64_t)(int64_t)before;
		machine_walk(3);
		check_stamps();
	}
}

/* What a counter of 32 bits shows, as the port widens it, is the real time as long as it is asked for once every half turn. */
TEST(narrow_counter)
{
	machine_begin(DWELL_MODE_LINEAR, 16);
	sim.narrow = true;
	for (uint32_t i = 0; i < 3000; i++) {
		machine_walk(1);
		sim.now += machine_pick(1u << 31) - 100;
	}
	CHECK(sim.now >> 40);
	check_stamps();
}

static uint64_t last_seen;

static void look(void *context)
{
	uint64_t now = port_now();

	(void)context;
	CHECK(now > last_seen);
	last_seen = now;
}

/* An interrupt reads the clock, too, at each operation around a half turn. */
TEST(narrow_counter_interrupted)
{
	for (uint64_t half = 1; half < 5; half++) {
		for (uint64_t before = 0; before < 6; before++) {
			for (uint64_t at = 0; at < 6; at++) {
				uint64_t now;

				sim_begin(NULL);
				sim.narrow = true;
				for (uint64_t i = 1; i < half; i++) {
					sim.now = i << 31;
					port_now();
				}
				sim.now = (half << 31) - before;
				last_seen = sim.now;
				sim.interrupt = look;
				sim.interrupt_at = sim.operations + at;
				now = port_now();
				CHECK(now == sim.now || now + 1 == sim.now);
				now = port_now();
				CHECK(now == sim.now || now + 1 == sim.now); /* it is interrupted there, too */
			}
		}
	}
}

int main(void)
{
	RUN(sleeps_of_any_length);
	RUN(new_epoch_at_each_slot);
	RUN(stamps_at_the_seam);
	RUN(narrow_counter);
	RUN(narrow_counter_interrupted);
	return tap_done();
}
