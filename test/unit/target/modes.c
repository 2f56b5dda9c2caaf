/* The recorder's modes: what is kept, what is lost, and that the losses are said. */
#include "machine.h"

TEST(begin_checks_its_arguments)
{
	static _Alignas(8) unsigned char memory[MACHINE_BYTES_MAX];
	struct dwell_ring *ring;

	CHECK(!dwell_ring_begin(NULL, 512, sizeof memory, DWELL_MODE_STREAM, false));
	CHECK(!dwell_ring_begin(memory + 4, 512, sizeof memory - 4, DWELL_MODE_STREAM, false));
	CHECK(!dwell_ring_begin(memory, sizeof *ring - 8, sizeof memory, DWELL_MODE_STREAM, false));
	CHECK(!dwell_ring_begin(memory, 257, sizeof memory, DWELL_MODE_STREAM, false));
	CHECK(!dwell_ring_begin(memory, 512, 128, DWELL_MODE_STREAM, false));
	CHECK(!dwell_ring_begin(memory, 512, 512 + 2 * DWELL_BLOCK_BYTES - 1, DWELL_MODE_STREAM, false));
	ring = dwell_ring_begin(memory, 512, 512 + 2 * DWELL_BLOCK_BYTES, DWELL_MODE_LINEAR, false);
	CHECK(ring && ring->bytes == 2 * DWELL_BLOCK_BYTES && ring->magic == DWELL_RING_MAGIC);
	ring = dwell_ring_begin(memory, 512, 512 + 8 * DWELL_BLOCK_BYTES - 1, DWELL_MODE_LINEAR, false);
	CHECK(ring && ring->bytes == 4 * DWELL_BLOCK_BYTES);
}

TEST(begin_zeroes_unless_it_is_zero)
{
	static _Alignas(8) unsigned char memory[512 + 2 * DWELL_BLOCK_BYTES];
	struct dwell_ring *ring;

	memset(memory, 0xa5, sizeof memory);
	ring = dwell_ring_begin(memory, 512, sizeof memory, DWELL_MODE_STREAM, true);
	CHECK_EQ(*dwell_ring_slot(ring, ring->bytes - 8), 0xa5a5a5a5a5a5a5a5);
	ring = dwell_ring_begin(memory, 512, sizeof memory, DWELL_MODE_STREAM, false);
	for (dwell_pos at = 0; at < ring->bytes; at += DWELL_SLOT_BYTES)
		if (*dwell_ring_slot(ring, at))
			CHECK_EQ(at, 0);
}

/* Drained now and then, and never full: everything arrives. */
TEST(stream_is_whole)
{
	machine_begin(DWELL_MODE_STREAM, 2);
	while (machine.count < 15000) {
		machine_walk(1 + machine_pick(500));
		machine_drain(false);
	}
	CHECK_EQ(machine.fold.summary.events, machine.count);
	CHECK_EQ(machine.ring->lost_events, 0);
	CHECK_EQ(machine.pair.depth, machine.depth);
	machine_finish();
	machine_check_truth();
}

/* A ring of two blocks, drained only once, after drain_at events: what comes too early is lost, and the rest fits again. */
static void lose(uint32_t drain_at)
{
	uint64_t said;

	machine_begin(DWELL_MODE_STREAM, 2);
	machine.random = drain_at;
	machine_walk(drain_at);
	CHECK_EQ(machine.ring->lost_events, drain_at > 1022 ? drain_at - 1022 : 0);
	machine_drain(false);
	machine_walk(700);
	machine_drain(false);
	said = machine.pair.lost_events;
	CHECK_EQ(machine.fold.summary.events + said + machine.ring->gap_events, machine.count);
	CHECK_EQ(said + machine.ring->gap_events, machine.ring->lost_events);
	/* What happened in the gap is known as far as the stack goes. */
	if (!machine.ring->gap_events)
		CHECK_EQ(machine.pair.depth + machine.pair.beyond, machine.depth);
	machine_finish();
}

TEST(stream_full_at_each_event)
{
	for (uint32_t drain_at = 0; drain_at < 1400; drain_at++)
		lose(drain_at);
}

/* Gap after gap, of any size, and with nothing recorded in between. */
TEST(many_gaps)
{
	for (uint32_t seed = 1; seed < 200; seed++) {
		machine_begin(DWELL_MODE_STREAM, 2);
		machine.random = seed;
		while (machine.count < 12000) {
			machine_walk(machine_pick(2500));
			machine_drain(false);
		}
		machine_walk(1);
		machine_drain(false);
		CHECK(machine.ring->lost_events);
		CHECK_EQ(machine.fold.summary.events + machine.pair.lost_events, machine.count);
		CHECK_EQ(machine.pair.lost_events, machine.ring->lost_events);
		CHECK_EQ(machine.pair.depth, machine.depth);
		machine_finish();
		CHECK(machine.pair.lost_ticks);
	}
}

/* The slots from begin on are the program's events from the first of them on, or to the last. */
static void check_slots(dwell_pos begin, uint32_t first)
{
	struct dwell_slot_cursor cursor = {0};
	uint32_t at_event = first;

	for (dwell_pos at = begin; at != machine.ring->pos; at += DWELL_SLOT_BYTES) {
		struct dwell_slot_event event = {0};

		dwell_slot_decode(&cursor, *dwell_ring_slot(machine.ring, at), &event);
		if (event.kind == DWELL_SLOT_SKIP)
			continue;
		CHECK_EQ(event.kind, machine.events[at_event].kind == DWELL_ENTER ? DWELL_SLOT_ENTER : DWELL_SLOT_EXIT);
		CHECK_EQ(event.place, machine.events[at_event].place);
		CHECK_EQ(event.ticks, machine.events[at_event].ticks);
		at_event++;
	}
	CHECK(at_event <= machine.count);
}

static void keep_last(uint32_t blocks, uint32_t count)
{
	dwell_pos begin;
	uint64_t kept;

	machine_begin(DWELL_MODE_RING, blocks);
	machine_walk(count);
	begin = machine_read();
	kept = machine.fold.summary.events;
	CHECK_EQ(machine.ring->lost_events, 0);
	CHECK_EQ(machine.fold.summary.holes, 0);
	check_slots(begin, machine.count - (uint32_t)kept);
	/* All but the block that is zeroed ahead. */
	if (count > blocks * (DWELL_BLOCK_SLOTS - 1))
		CHECK(kept + 2 * DWELL_BLOCK_SLOTS >= (uint64_t)blocks * (DWELL_BLOCK_SLOTS - 1));
	else
		CHECK(kept <= count);
	machine_finish();
}

TEST(ring_keeps_the_last)
{
	for (uint32_t blocks = 2; blocks <= 16; blocks *= 2)
		for (uint32_t count = 1; count < 3 * 16 * DWELL_BLOCK_SLOTS && count < MACHINE_EVENTS_MAX; count += 509)
			keep_last(blocks, count);
}

TEST(linear_keeps_the_first)
{
	const uint32_t room = 4 * (DWELL_BLOCK_SLOTS - 1);

	for (uint32_t count = room - 3; count < room + 4; count++) {
		machine_begin(DWELL_MODE_LINEAR, 4);
		machine_walk(count);
		machine_read();
		CHECK_EQ(machine.fold.summary.events, count < room ? count : room);
		CHECK_EQ(machine.fold.summary.events + machine.ring->lost_events, count);
		check_slots(0, 0);
		machine_finish();
	}
}

/* A position counts for ever, and on a small machine that is not so long. */
TEST(position_wraps)
{
	machine_begin(DWELL_MODE_STREAM, 2);
	machine.ring->pos = machine.ring->consumed = (dwell_pos)0 - 4 * DWELL_BLOCK_BYTES;
	machine.ring->ready = machine.ring->pos + machine.ring->bytes;
	while (machine.count < 6000) {
		machine_walk(400);
		machine_drain(false);
	}
	CHECK(machine.ring->pos < MACHINE_BYTES_MAX);
	CHECK_EQ(machine.fold.summary.events, machine.count);
	machine_finish();
	machine_check_truth();
}

TEST(no_ring_is_counted)
{
	machine_begin(DWELL_MODE_STREAM, 2);
	sim.ring = NULL;
	machine_walk(1000);
	CHECK_EQ(sim.refused_events, 1000);
	CHECK_EQ(machine.ring->pos, 0);
}

int main(void)
{
	RUN(begin_checks_its_arguments);
	RUN(begin_zeroes_unless_it_is_zero);
	RUN(stream_is_whole);
	RUN(stream_full_at_each_event);
	RUN(many_gaps);
	RUN(ring_keeps_the_last);
	RUN(linear_keeps_the_first);
	RUN(position_wraps);
	RUN(no_ring_is_counted);
	return tap_done();
}
