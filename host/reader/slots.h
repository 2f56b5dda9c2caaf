/* slots: the payload of one SLOTS chunk → checkpoint and events. A pure function of the chunk: any thread may run it on any chunk.
 *
 * What it promises about the times: within a chunk they never go back, and they never lie before the last time of the stream's chunk before
 * it (FLOOR_TICKS). A stamp that was taken late is lowered to its successor's; what is then still too early is raised. Both are counted. */
#ifndef DWELL_HOST_READER_SLOTS_H
#define DWELL_HOST_READER_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/slot.h"
#include "pack/pack.h"
#include "reader/frame.h"
#include "reader/message.h"

#define SLOTS_BATCH 4096 /* events of one message, at most */

/* The decoder's memory and position. Zero it before the first use, clear it after the last. */
struct slots {
	struct frame_chunk chunk;
	enum dwell_place_kind place_kind;
	uint32_t done;       /* slots decoded */
	uint32_t count;      /* slots there are */
	const uint8_t *data; /* of the first slot */
	struct dwell_slot_cursor cursor;
	uint64_t first_ticks; /* of the first event */
	bool told_checkpoint;

	struct unpacker unpacker;
	struct message_frame *frames;
	size_t frame_capacity;
	struct event *batch;  /* SLOTS_BATCH */
	struct event *sorted; /* all events of a chunk whose times had to be put right, else unused */
	size_t sorted_capacity;
	size_t sorted_count, sorted_done;
	bool is_sorted;

	/* Of this chunk; complete when slots_next has returned false. */
	uint64_t events, holes, late_stamps, unknown_tags;
};

/* Starts on a chunk, whose payload stays where it is until the last slots_next. Only the bytes that are there count: of a cut chunk the
 * whole slots before the cut, of a packed one nothing. Null, or what is wrong with the chunk. */
const char *slots_begin(struct slots *slots, const struct frame_chunk *chunk, enum dwell_place_kind place_kind);
/* Next message: a checkpoint (of which the caller sets first and after_loss), then events. False: no more. */
bool slots_next(struct slots *slots, struct message *message);
void slots_clear(struct slots *slots);

#endif
