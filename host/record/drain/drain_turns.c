/* drain_turns: a job of a ring whose calls are counted by record and, where that does not come in time, by the thread that makes them. */
#include <stdlib.h>

#include "record/drain/drain_inner.h"
#include "record/stage/count.h"

/* Counted in a third of a millisecond; a thread that finds its ring full waits longer before it takes the turn away. */
#define PIECE_BYTES (128u << 10)

bool drain_take_turns(struct drain *drain, struct dwell_relay *shared)
{
	drain->relay = malloc(sizeof *drain->relay);
	if (!drain->relay)
		return false;
	relay_init(drain->relay, shared);
	return true;
}

static struct count *get_count(const struct drain *drain)
{
	return (struct count *)drain->stages;
}

/* Not much less than what has to be told of open calls behind it; between blocks, so that what was recorded together is counted
 * together. */
static uint64_t piece_bytes(const struct drain *drain)
{
	const struct follower *calls = drain->stages->calls;
	uint64_t open = follower_open_calls(calls), bytes = drain->end - drain->consumed;
	uint64_t most = PIECE_BYTES + open * sizeof(struct dwell_frame);

	return bytes <= most ? bytes : (drain->consumed + most) / DWELL_BLOCK_BYTES * DWELL_BLOCK_BYTES - drain->consumed;
}

/* Whether the thread could go on from here: it has all changes of what is mapped behind it, or does not know of any. */
static bool can_turn(struct drain *drain)
{
	return drain->can_turn && !turnover_next(&get_count(drain)->turnover);
}

/* What was counted may be written again. */
static void release(struct drain *drain)
{
	drain_give_back(drain, drain->given_back, drain->consumed);
	drain->given_back = drain->consumed;
	relay_released(drain->relay);
}

/* From where the thread has come by itself, or from where record was when the thread took the turn away. */
static bool begin(struct drain *drain, struct workers_desk *desk)
{
	struct relay *relay = drain->relay;
	struct stage_run run = {.now_ns = drain_now_ns(), .desk = desk, .slots = desk->slots, .writer = drain->writer};
	uint64_t events = 0;
	bool releases = false;

	relay->turnovers = drain->turnovers;
	relay->can_turn = can_turn(drain);
	if (!relay_begin(relay, get_count(drain), &events, &releases))
		return false;
	drain->stages->figures.counted_events += events;
	drain->consumed = relay->position;
	if (releases)
		release(drain);
	drain->given_back = drain->consumed; /* who counts gives back */
	drain->in_order.cursor = drain->stages->calls->fold.cursor;
	drain->in_order.floor_ticks = relay->floor_ticks;
	drain_pass(drain, &run);
	return true;
}

static bool count_piece(struct drain *drain, struct workers_desk *desk)
{
	struct relay *relay = drain->relay;
	uint64_t bytes = drain_copy_slots(drain, piece_bytes(drain), desk);
	struct stage_run run = {.now_ns = drain_now_ns(), .desk = desk, .slots = desk->slots, .writer = drain->writer};

	/* Behind the copy, so that it is of slots that were there to be counted. */
	if (!bytes || !relay_claim(relay, drain->consumed + bytes))
		return false;
	run.count = (uint32_t)(bytes / DWELL_SLOT_BYTES);
	drain_pass(drain, &run);
	drain->consumed += bytes;
	relay->floor_ticks = drain->in_order.floor_ticks;
	relay->can_turn = can_turn(drain);
	if (!relay_commit(relay, get_count(drain), true))
		return false;
	release(drain);
	return true;
}

void drain_count_in_turn(struct drain *drain, struct workers_desk *desk)
{
	if (!begin(drain, desk))
		return;
	while (drain->consumed < drain->end && !drain->relay->broken)
		if (!count_piece(drain, desk))
			return;
	relay_end(drain->relay);
}
