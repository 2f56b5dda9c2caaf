/* A relay after a turn of the thread's, in which each thing that it tells of is there: for what a hostile program may make of it. */
#ifndef DWELL_TEST_RELAY_BASE_H
#define DWELL_TEST_RELAY_BASE_H

#include <stdlib.h>

#include "record/drain/relay.h"

#define BASE_BUFFER DWELL_RELAY_THREADS /* that the turn is in */

struct relay_base {
	struct dwell_relay *shared;
	struct relay relay;
	struct count *count;
	uint64_t end; /* of the ring */
};

static inline bool base_turn(struct relay_base *base, const uint64_t *slots, uint32_t count)
{
	struct dwell_relay_turn turn;
	bool good = dwell_relay_take(base->shared, &turn, false, 0) && dwell_relay_fold(&turn, slots, count, false) == count &&
		    dwell_relay_commit(&turn);

	if (good)
		dwell_relay_release(&turn);
	base->end += (uint64_t)count * DWELL_SLOT_BYTES;
	return good;
}

/* False: it was not as it should be. */
static inline bool base_begin(struct relay_base *base)
{
	const uint64_t slots[] = {dwell_slot_make(DWELL_TAG_TIME, 5), dwell_slot_enter(0x401000, 10),
		dwell_slot_enter(0x402000, 20), dwell_slot_exit(0x402000, 30), dwell_slot_make(DWELL_TAG_MARK, 31),
		dwell_slot_make(DWELL_TAG_MARK_TEXT, 1), dwell_slot_make(DWELL_TAG_HOLE, 0), dwell_slot_enter(0x402000, 35),
		dwell_slot_make(DWELL_TAG_STACK, 1), dwell_slot_enter(0x403000, 40), dwell_slot_enter(0x404000, 50),
		dwell_slot_exit(0x404000, 5000), dwell_slot_exit(0x409000, 5001), dwell_slot_make(DWELL_TAG_STACK, 0),
		dwell_slot_enter(0x404000, 5010), dwell_slot_make(DWELL_TAG_UNWIND_JUMP, 5020)};

	*base = (struct relay_base){.shared = calloc(1, DWELL_RELAY_BYTES), .count = make_count()};
	if (!base->shared || !base->count)
		return false;
	dwell_relay_begin(base->shared, 0, false);
	relay_init(&base->relay, base->shared);
	return base_turn(base, slots, sizeof slots / sizeof *slots);
}

static inline void base_end(struct relay_base *base)
{
	relay_clear(&base->relay);
	free_count(base->count);
	free(base->shared);
}

/* Where its paths are. */
static inline struct dwell_paths base_paths(const struct relay_base *base)
{
	struct dwell_paths paths;

	dwell_paths_open(&paths, dwell_relay_paths(base->shared, BASE_BUFFER), &dwell_relay_size,
		&dwell_relay_state(base->shared, BASE_BUFFER)->paths);
	return paths;
}

/* Record takes it over, as far as it believes it, counts some calls more, and tells how that stands. Returns whether it believed it. */
static inline bool base_take_over(struct relay_base *base)
{
	const uint64_t slots[] = {dwell_slot_exit(0x402000, 6000), dwell_slot_enter(0x405000, 6010),
		dwell_slot_make(DWELL_TAG_STACK, 1), dwell_slot_exit(0x403000, 6020), dwell_slot_exit(0x403000, 6030),
		dwell_slot_make(DWELL_TAG_STACK, 0), dwell_slot_exit(0x405000, 6040)};
	uint64_t position, events = 0, end = base->end;
	bool releases, good;

	if (!relay_see(&base->relay, base->end, false, &position) || !relay_begin(&base->relay, base->count, &events, &releases))
		return false;
	good = base->relay.position == base->end;
	if (releases)
		relay_released(&base->relay);
	base->end = end + sizeof slots;
	if (!relay_claim(&base->relay, base->end))
		return false;
	count_slots(base->count, slots, sizeof slots / sizeof *slots, 0);
	base->relay.can_turn = true;
	if (relay_commit(&base->relay, base->count, true))
		relay_released(&base->relay);
	relay_end(&base->relay);
	return good && !base->relay.broken;
}

/* Writes what was counted. */
static inline void base_write(struct relay_base *base, uint32_t stream, struct trace_writer *writer)
{
	struct workers_desk desk = {0};

	base->count->stream = stream;
	count_write(base->count, &(struct stage_run){.desk = &desk, .writer = writer}, true);
	address_set_clear(&desk.places);
}

#endif
