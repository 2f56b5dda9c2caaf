/* slots: the payload of one SLOTS chunk → checkpoint and events. A pure function of the chunk: any thread may run it on any chunk.
 *
 * What it promises about the times: within a chunk they never go back, and they never lie before the last time of the stream's chunk before
 * it (FLOOR_TICKS). A stamp that was taken late is lowered to its successor's; what is then still too early is raised. Both are counted. */
#ifndef DWELL_HOST_READER_DWELL_SLOTS_H
#define DWELL_HOST_READER_DWELL_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/slot.h"
#include "pack/pack.h"
#include "reader/dwell/frame.h"
#include "reader/message.h"

#define SLOTS_BATCH 4096 /* events of one message, at most */

/* The decoder's memory and position. Zero it before the first use, clear it after the last. */
struct slots {
	struct frame_chunk chunk;
	enum dwell_place_kind place_kind;
	uint32_t done;       /* slots decoded */
	uint32_t count;      /* slots there are; of a chunk that is unpacked little by little: so far … */
	uint32_t total;      /* … and in all */
	const uint8_t *data; /* of the first slot */
	struct dwell_slot_cursor cursor;
	uint64_t first_ticks; /* of the first event */
	bool told_checkpoint;

	bool wants_runs;       /* the owner's: see slots_next */
	bool is_partly;        /* unpacked little by little */
	bool offered;          /* the last message was a run */
	const uint8_t *offered_times;
	uint32_t window;       /* slots to unpack where no run was taken */
	struct frame_chunk packed; /* the chunk as it was given */

	struct unpacker unpacker;
	struct message_frame *frames;
	size_t frame_capacity;
	struct event *batch;  /* SLOTS_BATCH */
	struct event *sorted; /* all events of a chunk whose times had to be put right, else unused */
	size_t sorted_capacity;
	size_t sorted_count, sorted_done;
	bool is_sorted;

	const char *problem;

	/* Of this chunk; complete when slots_next has returned false. */
	uint64_t events, holes, late_stamps, unknown_tags;
};

/* Starts on a chunk, whose payload stays where it is until the last slots_next. Only the bytes that are there count: of a cut chunk the
 * whole slots before the cut, of a packed one those that they tell. Null, or what is wrong with the chunk. */
const char *slots_begin(struct slots *slots, const struct frame_chunk *chunk, enum dwell_place_kind place_kind);
/* Next message: a checkpoint (of which the caller sets first and after_loss), then events. False: no more.
 *
 * Where runs are wanted, and the chunk is packed, MESSAGE_RUN is offered wherever something usual is next. The chunk is then taken for
 * what it should be, in order and undamaged; where it turns out not to be, MESSAGE_AGAIN says so, and all of it is told again, without
 * runs. False behind MESSAGE_AGAIN: slots_problem says what is wrong with the chunk. */
bool slots_next(struct slots *slots, struct message *message);
/* Null, or what only turned out behind slots_begin. */
const char *slots_problem(const struct slots *slots);
void slots_clear(struct slots *slots);

#endif
