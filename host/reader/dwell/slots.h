/* slots: decodes one SLOTS chunk into a checkpoint and events. A pure function of the chunk: any thread may run it on any chunk.
 *
 * Guarantees about times: within a chunk they never go back, and no time is before the last time of the stream's previous chunk
 * (FLOOR_TICKS). A late stamp is lowered to its successor's; a time that is still too early is raised. Both are counted. */
#ifndef DWELL_HOST_READER_DWELL_SLOTS_H
#define DWELL_HOST_READER_DWELL_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/slot.h"
#include "pack/pack.h"
#include "reader/dwell/split.h"
#include "reader/message.h"

#define SLOTS_BATCH 4096 /* events of one message, at most */

/* The decoder's memory and state. Zero before the first use, clear after the last. */
struct slots {
	struct raw_chunk chunk;
	enum dwell_place_kind place_kind;
	uint32_t done;       /* slots decoded */
	uint32_t count;      /* slots unpacked so far … */
	uint32_t total;      /* … and in all */
	const uint8_t *data; /* the first slot */
	struct dwell_slot_cursor cursor;
	uint64_t first_ticks; /* of the first event */
	bool checkpoint_written; /* the checkpoint's message was written */

	bool wants_packed;     /* set by the owner: the caller of slots_next takes MESSAGE_PACKED */
	bool is_piecewise;        /* the chunk is unpacked piece by piece */
	bool offered;          /* the last message was MESSAGE_PACKED */
	const uint8_t *offered_times; /* the position in packed_slots.times when the slots were offered */
	uint32_t window;       /* how many slots to unpack when the model takes no more packed slots; not the tag WINDOW */
	struct raw_chunk packed; /* the chunk, packed: for decoding it again as a whole */

	struct unpacker unpacker;
	struct message_frame *frames;
	size_t frame_capacity;
	struct event *batch;  /* SLOTS_BATCH */
	struct event *sorted; /* all events of a chunk whose times had to be corrected, else unused */
	size_t sorted_capacity;
	size_t sorted_count, sorted_done;
	bool is_sorted;

	const char *problem; /* as slots_problem returns it */

	/* Of this chunk; complete after slots_next returned false. */
	uint64_t events, holes, late_stamps, unknown_tags;
};

/* Starts on a chunk, whose payload must stay in place until the last slots_next. A chunk may be cut: then only its
 * whole slots are decoded, or the packed slots that the bytes suffice for. Null, or an error message. */
const char *slots_begin(struct slots *slots, const struct raw_chunk *chunk, enum dwell_place_kind place_kind);
/* Writes the next message: a checkpoint (whose first and after_loss the caller sets), then events. False: no more.
 *
 * If the owner wants packed slots and the chunk is packed, MESSAGE_PACKED offers the next slots to the model, still packed.
 * The model takes as many of them as are usual (pack/packed_slots.h); the decoder unpacks some more, and then offers again.
 * Until the end of the chunk, the decoder assumes that the chunk is undamaged and in order. If it is not, MESSAGE_RESTART
 * comes, and then the checkpoint and all events of the chunk, unpacked. If false follows MESSAGE_RESTART directly,
 * slots_problem returns the error message. */
bool slots_next(struct slots *slots, struct message *message);
/* Null, or an error message for a problem that slots_begin could not find. */
const char *slots_problem(const struct slots *slots);
void slots_clear(struct slots *slots);

#endif
