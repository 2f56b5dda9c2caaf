/* What the slow path says beside events: windows, unwinds, stops. */
#include "machine.h"

static struct dwell_slot_event slots[64];

static uint32_t decode(void)
{
	struct dwell_slot_cursor cursor = {0};
	uint32_t count = 0;

	for (dwell_pos at = 0; at != machine.ring->pos && count < 64; at += DWELL_SLOT_BYTES) {
		dwell_slot_decode(&cursor, *dwell_ring_slot(machine.ring, at), &slots[count]);
		count += slots[count].kind != DWELL_SLOT_SKIP;
	}
	return count;
}

TEST(windows)
{
	static const uint64_t places[] = {UINT64_C(0x7f1234567890), UINT64_C(0x7f1200000000), UINT64_C(0x7f1200000ffe),
		UINT64_C(0x7f1200001000), UINT64_C(0x7f12fffffffe), UINT64_C(0x100000000), UINT64_C(0x1000)};

	machine_begin(DWELL_MODE_LINEAR, 2);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		dwell_trace_slow(port_thread(), places[i], 0, DWELL_ENTER, true, 0);
		dwell_trace_slow(port_thread(), places[i] | 1, 0, DWELL_EXIT, true, 0);
	}
	CHECK_EQ(decode(), 2 * sizeof places / sizeof *places);
	for (uint32_t i = 0; i < 2 * sizeof places / sizeof *places; i++) {
		CHECK_EQ(slots[i].kind, i % 2 ? DWELL_SLOT_EXIT : DWELL_SLOT_ENTER);
		CHECK_EQ(slots[i].place, places[i / 2]);
	}
}

/* A flash that begins at 0: the first functions lie where tags do. */
TEST(code_at_zero)
{
	machine_begin(DWELL_MODE_LINEAR, 2);
	for (uint32_t place = 2; place < 2 * DWELL_TAG_LIMIT; place *= 2) {
		machine_event(place, DWELL_ENTER, MACHINE_SITE);
		machine_event(place, DWELL_EXIT, MACHINE_SITE);
	}
	CHECK_EQ(decode(), machine.count);
	for (uint32_t i = 0; i < machine.count; i++) {
		CHECK_EQ(slots[i].place, machine.events[i].place);
		CHECK_EQ(slots[i].ticks, machine.events[i].ticks);
	}
	machine_read();
	machine_finish();
	CHECK_EQ(fold_table_find(&machine.table, 64)->calls, 1);
}

/* Enters that no exit follows: counted, in whatever form, and nothing is open behind them. */
TEST(entries_alone)
{
	static const uint64_t places[] = {0x5000, UINT64_C(0x7f1234567890), UINT64_C(0x7f1200000ffe), 64};

	machine_begin(DWELL_MODE_LINEAR, 2);
	machine_enter(0);
	for (size_t i = 0; i < 4; i++)
		dwell_trace_entry(port_thread(), places[i], 0x6008 + i, places[i] >> 32, 0);
	machine_leave();
	CHECK_EQ(decode(), 2 + 2 * 4);
	for (uint32_t i = 0; i < 4; i++) {
		CHECK_EQ(slots[1 + 2 * i].tag, DWELL_TAG_ENTRY);
		CHECK_EQ(slots[1 + 2 * i].payload, 0x6008 + i);
		CHECK_EQ(slots[2 + 2 * i].kind, DWELL_SLOT_ENTRY);
		CHECK_EQ(slots[2 + 2 * i].place, places[i]);
	}
	machine_read();
	CHECK_EQ(machine.pair.depth, 0);
	CHECK_EQ(machine.pair.unwound_calls + machine.pair.unmatched_exits, 0);
	machine_finish();
	CHECK_EQ(fold_table_find(&machine.table, 0x5000)->calls, 1);
	CHECK_EQ(fold_table_find(&machine.table, 0x5000)->total_ticks, 0);
	CHECK_EQ(fold_table_find(&machine.table, MACHINE_PLACE(0))->calls, 1);
}

/* Where there is no room for them, they are lost, and open nothing either. */
TEST(entries_alone_are_lost)
{
	machine_begin(DWELL_MODE_STREAM, 2);
	machine_enter(0);
	for (uint32_t i = 0; i < 2 * DWELL_BLOCK_SLOTS; i++)
		dwell_trace_entry(port_thread(), 0x5000, 0x6008, false, 0);
	CHECK(machine.ring->gap_events > 0);
	CHECK_EQ(machine.ring->gap_events, machine.ring->lost_events);
	CHECK_EQ(machine.ring->gap_pushes + machine.ring->gap_pops, 0);
	machine_drain(false);
	machine_leave();
	machine_drain(false);
	CHECK_EQ(machine.pair.depth, 0);
	CHECK_EQ(machine.pair.unwound_calls + machine.pair.unmatched_exits, 0);
	CHECK_EQ(machine.pair.lost_events, machine.ring->lost_events);
	machine_finish();
	CHECK_EQ(fold_table_find(&machine.table, 0x5000)->calls + machine.ring->lost_events, 2 * DWELL_BLOCK_SLOTS);
}

/* An unwind lands where the next call with an exit comes from. */
static void jump(void);
TEST(entries_alone_land_nowhere)
{
	machine_begin(DWELL_MODE_STREAM, 2);
	jump();
	dwell_trace_entry(port_thread(), 0x5000, MACHINE_PLACE(2) + 0x10, false, 0);
	machine_event(MACHINE_PLACE(4), DWELL_ENTER, MACHINE_PLACE(1) + 0x10);
	machine_drain(false);
	CHECK_EQ(machine.pair.depth, 3);
	CHECK_EQ(machine.pair.frames[1].id, MACHINE_PLACE(1));
	CHECK_EQ(machine.pair.frames[2].id, MACHINE_PLACE(4));
	machine_finish();
}

/* main → catcher → a → b, and b jumps back to catcher. */
static void jump(void)
{
	machine_enter(0);
	machine_event(MACHINE_PLACE(1), DWELL_ENTER, MACHINE_PLACE(0) + 8);
	machine_event(MACHINE_PLACE(2), DWELL_ENTER, MACHINE_PLACE(1) + 8);
	machine_event(MACHINE_PLACE(3), DWELL_ENTER, MACHINE_PLACE(2) + 8);
	dwell_trace_unwind(port_thread(), DWELL_TAG_UNWIND_JUMP, 0);
	machine.depth -= 2;
}

TEST(unwind_lands)
{
	machine_begin(DWELL_MODE_STREAM, 2);
	jump();
	machine_event(MACHINE_PLACE(4), DWELL_ENTER, MACHINE_PLACE(1) + 0x10);
	machine_drain(false);
	CHECK_EQ(machine.pair.depth, 3);
	CHECK_EQ(machine.pair.frames[1].id, MACHINE_PLACE(1));
	CHECK_EQ(machine.pair.frames[2].id, MACHINE_PLACE(4));
	CHECK_EQ(machine.pair.unwound_calls, 2);
	machine_finish();
}

/* Where the port knows which call goes on, it is said at once, and nothing waits: a function without hooks may have landed. */
TEST(unwind_lands_where_the_port_says)
{
	static const uint32_t landed[2] = {0u << 1 | DWELL_LANDED_ABOVE, MACHINE_PLACE(1)};

	machine_begin(DWELL_MODE_STREAM, 2);
	jump();
	CHECK(machine.ring->unwound && machine.ring->epoch != machine.ring->last_tag);
	dwell_trace_landed(port_thread(), DWELL_TAG_UNWIND_JUMP, landed, 2, 0); /* instead of the one that waits */
	CHECK(!machine.ring->unwound && machine.ring->epoch == machine.ring->last_tag);
	machine_event(0xa000, DWELL_ENTER, SIM_INTERRUPT_SITE);
	machine_event(0xa000, DWELL_EXIT, SIM_INTERRUPT_SITE);
	machine_event(MACHINE_PLACE(4), DWELL_ENTER, 0x12340);
	machine_drain(false);
	CHECK_EQ(machine.pair.depth, 3);
	CHECK_EQ(machine.pair.frames[1].id, MACHINE_PLACE(1));
	CHECK_EQ(machine.pair.frames[2].id, MACHINE_PLACE(4));
	CHECK_EQ(machine.pair.unwound_calls, 2);
	machine_finish();
}

TEST(unwind_lands_behind_an_interrupt)
{
	machine_begin(DWELL_MODE_STREAM, 2);
	jump();
	machine_event(0xa000, DWELL_ENTER, SIM_INTERRUPT_SITE);
	machine_event(0xb000, DWELL_ENTER, 0xa010);
	machine_event(0xb000, DWELL_EXIT, 0xa010);
	machine_event(0xb000, DWELL_ENTER, 0xa020);
	machine_event(0xb000, DWELL_EXIT, 0xa020);
	machine_event(0xa000, DWELL_EXIT, SIM_INTERRUPT_SITE);
	machine_event(MACHINE_PLACE(4), DWELL_ENTER, MACHINE_PLACE(1) + 0x10);
	machine_drain(false);
	CHECK_EQ(machine.pair.depth, 3);
	CHECK_EQ(machine.pair.frames[1].id, MACHINE_PLACE(1));
	CHECK_EQ(machine.pair.frames[2].id, MACHINE_PLACE(4));
	machine_finish();
	CHECK_EQ(fold_table_find(&machine.table, 0xb000)->calls, 2);
}

/* Time is what the program spent while recording was on. */
TEST(stop_and_start)
{
	uint64_t off = 0;

	machine_begin(DWELL_MODE_STREAM, 4);
	machine_enter(0);
	for (int i = 0; i < 50; i++) {
		uint64_t stopped;

		for (uint32_t calls = machine_pick(30); calls; calls--) {
			machine_enter(1 + machine_pick(3));
			machine_leave();
		}
		stopped = sim.now;
		sim.now += UINT64_C(1) << machine_pick(40);
		machine.ring->stop_ticks = stopped;
		machine.ring->resume = DWELL_RESUME_DUE;
		machine.ring->epoch = ~machine.ring->epoch;
		machine_enter(4);
		off += sim.now - stopped;
		machine_leave();
		machine_drain(false);
	}
	CHECK_EQ(machine.fold.summary.events, machine.count);
	machine_finish();
	/* A few ticks for each start: the clock is read some times until its event is stamped. */
	CHECK(off - dwell_pair_outside_ticks(&machine.pair) < off);
	CHECK(dwell_pair_outside_ticks(&machine.pair) + 50 * 100 > off);
}

int main(void)
{
	RUN(windows);
	RUN(code_at_zero);
	RUN(entries_alone);
	RUN(entries_alone_are_lost);
	RUN(entries_alone_land_nowhere);
	RUN(unwind_lands);
	RUN(unwind_lands_where_the_port_says);
	RUN(unwind_lands_behind_an_interrupt);
	RUN(stop_and_start);
	return tap_done();
}
