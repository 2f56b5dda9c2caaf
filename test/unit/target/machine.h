/* The recorder on the simulated machine, a drainer, and what the program knows about its own calls. */
#ifndef DWELL_TEST_MACHINE_H
#define DWELL_TEST_MACHINE_H

#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "examples/bare_metal/fold_table.h"
#include "port/sim/sim.h"
#include "recorder/trace.h"

#define MACHINE_HEADER_BYTES 512u
#define MACHINE_BYTES_MAX (MACHINE_HEADER_BYTES + 16 * DWELL_BLOCK_BYTES)
#define MACHINE_FUNCTIONS 8u
#define MACHINE_DEEP 64u
#define MACHINE_EVENTS_MAX 20000u
#define MACHINE_PLACE(function) (0x8000u + 0x40u * (function))
#define MACHINE_SITE 0x9000u

struct machine_event {
	uint64_t place, ticks;
	enum dwell_event_kind kind;
};

static struct machine {
	_Alignas(64) unsigned char memory[MACHINE_BYTES_MAX];
	struct dwell_ring *ring;
	/* the drainer's */
	struct dwell_pair pair;
	struct dwell_frame frames[4096];
	struct dwell_fold fold;
	struct fold_table table;
	struct fold_row rows[64];
	/* the program's */
	struct machine_event events[MACHINE_EVENTS_MAX];
	uint32_t count, depth;
	uint32_t stack[MACHINE_DEEP];
	uint64_t random;
} machine;

static inline uint32_t machine_pick(uint32_t count)
{
	machine.random = machine.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(machine.random >> 33) % count;
}

/* A machine that was switched on, with a ring of so many blocks, and nothing drained. */
static inline void machine_begin(enum dwell_mode mode, uint32_t blocks)
{
	memset(&machine, 0, sizeof machine);
	memset(machine.memory, 0xa5, sizeof machine.memory);
	machine.ring = dwell_ring_begin(
		machine.memory, MACHINE_HEADER_BYTES, MACHINE_HEADER_BYTES + blocks * DWELL_BLOCK_BYTES, mode, false);
	sim_begin(machine.ring);
	dwell_pair_init(&machine.pair, machine.frames, sizeof machine.frames / sizeof *machine.frames);
	dwell_fold_init(&machine.fold, &machine.pair);
	fold_table_begin(&machine.table, machine.rows, sizeof machine.rows / sizeof *machine.rows, &machine.fold);
	dwell_fold_begin(&machine.fold);
}

/* One event of the program. The recorder reads the clock last for the stamp. */
static inline void machine_event(uint64_t place, enum dwell_event_kind kind, uintptr_t site)
{
	struct machine_event *event = &machine.events[machine.count++];

	*event = (struct machine_event){.place = place, .kind = kind};
	machine.depth += kind == DWELL_ENTER ? 1u : -1u;
	dwell_trace(port_thread(), (void *)(uintptr_t)place, (void *)site, kind);
	event->ticks = sim.now;
}

static inline void machine_enter(uint32_t function)
{
	machine.stack[machine.depth % MACHINE_DEEP] = function;
	machine_event(MACHINE_PLACE(function), DWELL_ENTER, MACHINE_SITE);
}

static inline void machine_leave(void)
{
	machine_event(MACHINE_PLACE(machine.stack[(machine.depth - 1) % MACHINE_DEEP]), DWELL_EXIT, MACHINE_SITE);
}

/* Goes about for so many events. */
static inline void machine_walk(uint32_t events)
{
	for (uint32_t i = 0; i < events; i++) {
		sim.now += machine_pick(50);
		if (machine.depth && (machine.depth >= MACHINE_DEEP - 1 || machine_pick(2)))
			machine_leave();
		else
			machine_enter(machine_pick(MACHINE_FUNCTIONS));
	}
}

/* What a drainer does. all: holes, too, since whoever claimed them will not come back. */
static inline void machine_drain(bool all)
{
	struct dwell_ring *ring = machine.ring;

	for (dwell_pos at = ring->consumed; at != ring->pos; at += DWELL_SLOT_BYTES) {
		volatile uint64_t *slot = dwell_ring_slot(ring, at);

		if (!*slot && !all)
			return;
		dwell_fold_slots(&machine.fold, slot, 1);
		*slot = 0;
		ring->consumed = at + DWELL_SLOT_BYTES;
	}
}

/* Reads what a ring that nobody drained still has. Returns where that begins. */
static inline dwell_pos machine_read(void)
{
	struct dwell_ring *ring = machine.ring;
	dwell_pos begin = ring->mode == DWELL_MODE_RING && ring->ready - ring->bytes < ring->pos ? ring->ready - ring->bytes : 0;

	for (dwell_pos at = begin; at != ring->pos; at += DWELL_SLOT_BYTES)
		dwell_fold_slots(&machine.fold, dwell_ring_slot(ring, at), 1);
	return begin;
}

static inline void machine_finish(void)
{
	dwell_fold_finish(&machine.fold);
	CHECK(dwell_pair_check(&machine.pair));
	CHECK_EQ(machine.pair.backward_events, 0);
	CHECK_EQ(machine.fold.summary.unknown_tags, 0);
}

/* The table says what the program did, all of it: for data without a gap. Calls that are open end with the last event. */
static inline void machine_check_truth(void)
{
	struct truth {
		uint64_t calls, self, total;
		uint32_t active;
	} truth[MACHINE_FUNCTIONS] = {0};
	struct open {
		uint32_t function;
		uint64_t enter, child;
	} open[MACHINE_DEEP];
	uint32_t depth = 0, count = machine.count;
	uint64_t last = count ? machine.events[count - 1].ticks : 0;

	for (uint32_t i = 0; i < count + MACHINE_DEEP; i++) {
		uint64_t ticks = i < count ? machine.events[i].ticks : last, total;
		struct truth *row;

		if (i < count && machine.events[i].kind == DWELL_ENTER) {
			uint32_t function = (uint32_t)(machine.events[i].place - MACHINE_PLACE(0)) / 0x40;

			truth[function].active++;
			open[depth++] = (struct open){function, ticks, 0};
			continue;
		}
		if (!depth)
			break;
		depth--;
		row = &truth[open[depth].function];
		total = ticks - open[depth].enter;
		row->calls++;
		row->self += total - open[depth].child;
		row->total += --row->active ? 0 : total;
		if (depth)
			open[depth - 1].child += total;
	}
	for (uint32_t i = 0; i < MACHINE_FUNCTIONS; i++) {
		const struct fold_row *row = fold_table_find(&machine.table, MACHINE_PLACE(i));

		CHECK_EQ(row ? row->calls : 0, truth[i].calls);
		CHECK_EQ(row ? row->self_ticks : 0, truth[i].self);
		CHECK_EQ(row ? row->total_ticks : 0, truth[i].total);
	}
}

#endif
