/* The recorder interrupted at each operation of the machine: by a handler that records, and by the end of everything. */
#include <setjmp.h>

#include "machine.h"

#define HANDLER_PLACE 0xa000u

enum state { PLAIN, NEW_EPOCH, GAP, STOP, UNWOUND, STATES };

struct trial {
	enum dwell_mode mode;
	enum state state;
	uint32_t slots_left; /* in the block */
	uint32_t calls;      /* that the handler makes */
};

static jmp_buf end_of_everything;

static void handler(void *context)
{
	const struct trial *trial = context;

	machine_event(HANDLER_PLACE, DWELL_ENTER, SIM_INTERRUPT_SITE);
	for (uint32_t i = 1; i < trial->calls; i++) {
		machine_event(HANDLER_PLACE + 0x40, DWELL_ENTER, HANDLER_PLACE + 0x10);
		machine_event(HANDLER_PLACE + 0x40, DWELL_EXIT, HANDLER_PLACE + 0x10);
	}
	machine_event(HANDLER_PLACE, DWELL_EXIT, SIM_INTERRUPT_SITE);
}

static void die(void *context)
{
	(void)context;
	longjmp(end_of_everything, 1);
}

/* main calls a, and is about to call b. */
static void prepare(const struct trial *trial)
{
	struct dwell_ring *ring;
	dwell_pos lap;

	machine_begin(trial->mode, 8);
	ring = machine.ring;
	/* A ring in its second lap: what lies ahead is old. */
	lap = trial->mode == DWELL_MODE_RING ? ring->bytes : 0;
	machine_enter(0);
	machine_enter(1);
	while (ring->pos < lap + 2 * DWELL_BLOCK_BYTES - trial->slots_left * DWELL_SLOT_BYTES) {
		if (machine.depth == 2)
			machine_enter(2);
		else
			machine_leave();
	}
	if (machine.depth == 3)
		machine.count--, machine_event(MACHINE_PLACE(2), DWELL_EXIT, MACHINE_SITE), machine.count++;
}

static void set_state(const struct trial *trial)
{
	struct dwell_ring *ring = machine.ring;

	switch (trial->state) {
	case NEW_EPOCH:
		sim.now += UINT64_C(3) << 32;
		break;
	case GAP:
		ring->gap_events = 3;
		ring->gap_pushes = 1;
		ring->lost_events = 3;
		ring->epoch--;
		machine.depth++;
		machine.count += 3;
		break;
	case STOP:
		ring->stop_ticks = sim.now;
		ring->resume = DWELL_RESUME_DUE;
		ring->epoch = ~ring->epoch;
		sim.now += 1000000;
		break;
	case UNWOUND:
		dwell_trace_unwind(port_thread(), DWELL_TAG_UNWIND_JUMP, 0); /* from function 1 to function 0 */
		machine.depth--;
		break;
	default:
		break;
	}
}

/* Where the trial begins, everything is read but what is lost when a ring wraps. */
static void read_from(dwell_pos begin)
{
	for (dwell_pos at = begin; at != machine.ring->pos; at += DWELL_SLOT_BYTES)
		dwell_fold_slots(&machine.fold, dwell_ring_slot(machine.ring, at), 1);
}

static void check(const struct trial *trial, dwell_pos begin, uint32_t before)
{
	uint64_t lost;

	read_from(begin);
	lost = machine.pair.lost_events + machine.ring->gap_events;
	CHECK_EQ(machine.fold.summary.holes, 0);
	CHECK_EQ(machine.fold.summary.events + lost, machine.count - before);
	CHECK_EQ(lost, machine.ring->lost_events);
	if (trial->mode != DWELL_MODE_RING && trial->state != GAP)
		CHECK_EQ(lost, 0);
	if (!machine.ring->gap_events && trial->mode != DWELL_MODE_RING)
		CHECK_EQ(machine.pair.depth, machine.depth);
	for (uint32_t i = 0; i < machine.pair.depth; i++)
		CHECK(machine.pair.frames[i].id < HANDLER_PLACE || machine.pair.frames[i].id == DWELL_ID_UNKNOWN);
	machine_finish();
	if (trial->state == STOP && trial->mode != DWELL_MODE_RING)
		CHECK(dwell_pair_outside_ticks(&machine.pair) >= 1000000 && dwell_pair_outside_ticks(&machine.pair) < 1000200);
}

/* One trial, interrupted at operation number at. False: there are not so many. */
static bool interrupt(const struct trial *trial, uint64_t at)
{
	dwell_pos begin;
	uint32_t before;
	uint64_t first;
	/* Where function 1 goes on, or function 0 when an unwind went there. */
	uintptr_t site = MACHINE_PLACE(trial->state == UNWOUND ? 0 : 1) + 0x10;

	prepare(trial);
	/* The first slot of the block before says the time. In the first lap all of it is there. */
	begin = trial->mode == DWELL_MODE_RING ? (machine.ring->pos - DWELL_SLOT_BYTES) & ~(dwell_pos)(DWELL_BLOCK_BYTES - 1) : 0;
	before = 0;
	if (begin) {
		read_from(begin);
		before = machine.count - (uint32_t)machine.fold.summary.events;
		dwell_pair_init(&machine.pair, machine.frames, sizeof machine.frames / sizeof *machine.frames);
		dwell_fold_init(&machine.fold, &machine.pair);
		dwell_fold_begin(&machine.fold);
	}
	set_state(trial);
	first = sim.operations;
	sim.interrupt = handler;
	sim.context = (void *)trial;
	sim.interrupt_at = first + at;
	machine_event(MACHINE_PLACE(3), DWELL_ENTER, site);
	if (sim.operations <= sim.interrupt_at)
		return false;
	machine_event(MACHINE_PLACE(3), DWELL_EXIT, site);
	check(trial, begin, before);
	return true;
}

static void try_all(enum dwell_mode mode)
{
	static const uint32_t slots_left[] = {0, 1, 2, 3, 4, 5, 100, DWELL_BLOCK_SLOTS - 1}, calls[] = {1, 3, 800};
	uint64_t tried = 0;

	for (enum state state = 0; state < STATES; state++) {
		for (size_t i = 0; i < sizeof slots_left / sizeof *slots_left; i++) {
			for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
				struct trial trial = {mode, state, slots_left[i], calls[c]};
				uint64_t at = 0;

				while (interrupt(&trial, at))
					at++;
				tried += at;
				if (tap_bad) {
					printf("# mode %d, state %d, %u slots left, %u calls, before operation %llu\n", mode, state,
						trial.slots_left, trial.calls, (unsigned long long)at);
					return;
				}
			}
		}
	}
	printf("# interrupted %llu times\n", (unsigned long long)tried);
	CHECK(tried > 1000);
}

TEST(stream) { try_all(DWELL_MODE_STREAM); }
TEST(ring) { try_all(DWELL_MODE_RING); }
TEST(linear) { try_all(DWELL_MODE_LINEAR); }

/* The program ends between two operations: what was committed is there, and what was only claimed is a hole. */
static bool kill(enum dwell_mode mode, uint32_t slots_left, volatile uint64_t at)
{
	struct trial trial = {mode, PLAIN, slots_left, 0};
	volatile uint32_t committed;
	dwell_pos begin;

	prepare(&trial);
	begin = (machine.ring->pos - DWELL_SLOT_BYTES) & ~(dwell_pos)(DWELL_BLOCK_BYTES - 1);
	read_from(begin);
	committed = (uint32_t)machine.fold.summary.events;
	sim.interrupt = die;
	sim.interrupt_at = sim.operations + at;
	if (!setjmp(end_of_everything)) {
		machine_enter(3);
		return false;
	}
	begin = (begin & ~(dwell_pos)(DWELL_BLOCK_BYTES - 1));
	dwell_pair_init(&machine.pair, machine.frames, sizeof machine.frames / sizeof *machine.frames);
	dwell_fold_init(&machine.fold, &machine.pair);
	dwell_fold_begin(&machine.fold);
	read_from(begin);
	CHECK(machine.fold.summary.holes <= 1);
	CHECK(machine.fold.summary.events == committed || machine.fold.summary.events == committed + 1);
	CHECK_EQ(machine.fold.summary.unknown_tags, 0);
	CHECK_EQ(machine.pair.backward_events, 0);
	return true;
}

TEST(killed_at_each_operation)
{
	for (enum dwell_mode mode = DWELL_MODE_STREAM; mode <= DWELL_MODE_LINEAR; mode++) {
		for (uint32_t slots_left = 0; slots_left < 4; slots_left++) {
			uint64_t at = 0;

			while (kill(mode, slots_left, at))
				at++;
			CHECK(at >= 3);
		}
	}
}

/* Set-up that cannot mask interrupts: the handler is refused, and counted; and only in set-up. */
TEST(set_up)
{
	struct trial trial = {.calls = 3};
	uint64_t at, refused = 0;

	for (at = 0;; at++) {
		machine_begin(DWELL_MODE_STREAM, 2);
		sim.cannot_mask = true;
		sim.interrupt = handler;
		sim.context = &trial;
		sim.interrupt_at = at;
		machine_enter(0);
		if (sim.operations <= at)
			break;
		machine_enter(1);
		machine_drain(false);
		CHECK_EQ(machine.fold.summary.events + sim.refused_setup, machine.count);
		CHECK_EQ(sim.refused_events + machine.ring->lost_events, 0);
		refused += sim.refused_setup;
	}
	CHECK_EQ(refused, 6); /* one time */
	CHECK(at > 4);
}

int main(void)
{
	RUN(stream);
	RUN(ring);
	RUN(linear);
	RUN(killed_at_each_operation);
	RUN(set_up);
	return tap_done();
}
