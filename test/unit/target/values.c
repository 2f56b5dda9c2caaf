/* Arguments and what is returned, recorded: directly behind their event and in its block, wherever that ends and whoever
 * interrupts. */
#include "machine.h"

#define PLACE 0xb000u
#define HANDLER_PLACE 0xa000u

static const uint64_t arguments[DWELL_ARGS_MAX] = {
	1, UINT64_MAX, UINT64_C(0x123456789abcdef0), UINT64_C(1) << 32, 0, UINT64_C(0x7ffc00001000)};

static uint64_t slot_at(dwell_pos pos)
{
	return *dwell_ring_slot(machine.ring, pos);
}

/* The values behind the slot at pos, as many as there are. Returns where the last of them ends. */
static dwell_pos read_values(dwell_pos pos, uint32_t tag, uint64_t values[16], uint32_t *count)
{
	*count = 0;
	for (pos += DWELL_SLOT_BYTES; pos < machine.ring->pos && *count < 16; pos += DWELL_SLOT_BYTES) {
		uint32_t low = (uint32_t)slot_at(pos);

		if (low == tag)
			values[(*count)++] = slot_at(pos) >> 32;
		else if (low == tag + 1 && *count)
			values[*count - 1] |= slot_at(pos) >> 32 << 32;
		else
			break;
	}
	return pos;
}

/* Each event at PLACE has all that it came with. Returns how many there are. */
static uint32_t check_values(uint32_t wanted)
{
	uint32_t events = 0;

	for (dwell_pos pos = 0; pos < machine.ring->pos; pos += DWELL_SLOT_BYTES) {
		uint64_t values[16];
		uint32_t count, is_exit = (uint32_t)slot_at(pos) & 1u;
		dwell_pos end;

		if (((uint32_t)slot_at(pos) & ~1u) != PLACE)
			continue;
		end = read_values(pos, is_exit ? DWELL_TAG_RET : DWELL_TAG_ARG, values, &count);
		CHECK_EQ(count, is_exit ? 1 : wanted);
		CHECK_EQ(pos / DWELL_BLOCK_BYTES, (end - 1) / DWELL_BLOCK_BYTES);
		for (uint32_t i = 0; i < count && !tap_bad; i++)
			CHECK_EQ(values[i], is_exit ? (uint64_t)-5 : arguments[i]);
		events++;
	}
	return events;
}

static void call(uint32_t wanted)
{
	const uint64_t returned = (uint64_t)-5;

	dwell_trace_values(port_thread(), PLACE, MACHINE_SITE, DWELL_ENTER, false, 0, arguments, wanted);
	dwell_trace_values(port_thread(), PLACE, MACHINE_SITE, DWELL_EXIT, false, 0, &returned, 1);
}

static void fill(uint32_t events)
{
	for (uint32_t i = 0; i < events; i++)
		dwell_trace(port_thread(), (void *)(uintptr_t)MACHINE_PLACE(i / 2 % MACHINE_FUNCTIONS),
			(void *)(uintptr_t)MACHINE_SITE, i % 2 ? DWELL_EXIT : DWELL_ENTER);
}

TEST(every_number_of_them_at_every_place_of_a_block)
{
	for (uint32_t wanted = 0; wanted <= DWELL_ARGS_MAX; wanted++) {
		for (uint32_t before = 0; before < DWELL_BLOCK_SLOTS; before++) {
			machine_begin(DWELL_MODE_LINEAR, 4);
			fill(before);
			call(wanted);
			CHECK_EQ(check_values(wanted), 2);
			machine_read();
			CHECK_EQ(machine.fold.summary.events, before + 2);
			if (tap_bad)
				return;
			machine_finish();
		}
	}
}

static void handler(void *context)
{
	uint32_t calls = *(const uint32_t *)context;

	dwell_trace(port_thread(), (void *)(uintptr_t)HANDLER_PLACE, (void *)(uintptr_t)SIM_INTERRUPT_SITE, DWELL_ENTER);
	for (uint32_t i = 0; i < calls; i++)
		call(DWELL_ARGS_MAX);
	dwell_trace(port_thread(), (void *)(uintptr_t)HANDLER_PLACE, (void *)(uintptr_t)SIM_INTERRUPT_SITE, DWELL_EXIT);
}

static bool interrupt(uint32_t before, uint32_t calls, uint64_t at)
{
	machine_begin(DWELL_MODE_LINEAR, 8);
	fill(before);
	sim.interrupt = handler;
	sim.context = &calls;
	sim.interrupt_at = sim.operations + at;
	call(DWELL_ARGS_MAX);
	if (sim.operations <= sim.interrupt_at)
		return false;
	CHECK_EQ(check_values(DWELL_ARGS_MAX), 2 + 2 * calls);
	machine_read();
	CHECK_EQ(machine.fold.summary.holes, 0);
	machine_finish();
	return true;
}

TEST(interrupted)
{
	static const uint32_t befores[] = {
		0, 1, 200, DWELL_BLOCK_SLOTS - 14, DWELL_BLOCK_SLOTS - 8, DWELL_BLOCK_SLOTS - 2, DWELL_BLOCK_SLOTS - 1};
	uint64_t tried = 0;

	for (size_t i = 0; i < sizeof befores / sizeof *befores; i++) {
		for (uint32_t calls = 0; calls < 60; calls += 29) {
			uint64_t at = 0;

			while (!tap_bad && interrupt(befores[i], calls, at))
				at++;
			tried += at;
		}
	}
	CHECK(tried > 500);
}

/* A ring that is full loses an event with all that belongs to it. */
TEST(no_room)
{
	machine_begin(DWELL_MODE_LINEAR, 2);
	for (int i = 0; i < 400; i++)
		call(DWELL_ARGS_MAX);
	CHECK_EQ(check_values(DWELL_ARGS_MAX) + machine.ring->lost_events, 800);
	CHECK(machine.ring->lost_events > 500);
	machine_read();
	machine_finish();
}

int main(void)
{
	RUN(every_number_of_them_at_every_place_of_a_block);
	RUN(interrupted);
	RUN(no_room);
	return tap_done();
}
