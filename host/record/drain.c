#include "record/drain.h"

#include <stdlib.h>

#include "target/port/os/linux/session.h"

#define FRAMES_AT_FIRST (2 * DWELL_BLOCK_SLOTS)

bool drain_begin(struct drain *drain, uint32_t stream, struct dwell_ring *ring, uint64_t ring_bytes)
{
	*drain = (struct drain){.stream = stream, .ring = ring, .ring_bytes = ring_bytes};
	drain->frames = malloc(FRAMES_AT_FIRST * sizeof *drain->frames);
	if (!drain->frames)
		return false;
	drain->frame_capacity = FRAMES_AT_FIRST;
	dwell_pair_init(&drain->pair, drain->frames, drain->frame_capacity);
	dwell_fold_init(&drain->fold, &drain->pair, NULL);
	return true;
}

void drain_end(struct drain *drain)
{
	free(drain->frames);
	free(drain->checkpoint);
	drain->frames = NULL;
	drain->checkpoint = NULL;
}

static volatile uint64_t *slot_at(const struct drain *drain, uint64_t position)
{
	unsigned char *data = (unsigned char *)drain->ring + DWELL_RING_HEADER_BYTES;

	return (volatile uint64_t *)(data + (position & (drain->ring_bytes - 1)));
}

uint64_t drain_available(struct drain *drain, bool all)
{
	uint64_t pos = __atomic_load_n(&drain->ring->pos, __ATOMIC_ACQUIRE), end;

	if (drain->broken || pos % DWELL_SLOT_BYTES || pos < drain->consumed || pos - drain->consumed > drain->ring_bytes) {
		drain->broken = true;
		return 0;
	}
	if (all || drain->ring->commits_last)
		return pos - drain->consumed;
	for (end = drain->consumed; end < pos && *slot_at(drain, end); end += DWELL_SLOT_BYTES)
		;
	return end - drain->consumed;
}

/* Room for more frames. Those that find none are counted, and missing in checkpoints. */
static void reserve_frames(struct drain *drain, uint32_t more)
{
	uint64_t capacity = (uint64_t)drain->frame_capacity * 2;
	struct dwell_frame *frames;

	if (drain->frame_capacity - drain->pair.depth >= more || capacity > UINT32_MAX)
		return;
	frames = realloc(drain->frames, capacity * sizeof *frames);
	if (!frames)
		return;
	drain->frames = frames;
	drain->frame_capacity = (uint32_t)capacity;
	dwell_pair_grow(&drain->pair, frames, drain->frame_capacity);
}

/* Makes the checkpoint: the frames that are open now. */
static uint32_t make_checkpoint(struct drain *drain)
{
	uint32_t depth = drain->pair.depth;

	if (depth > drain->checkpoint_capacity) {
		struct message_frame *grown = realloc(drain->checkpoint, drain->frame_capacity * sizeof *grown);

		if (!grown)
			return 0;
		drain->checkpoint = grown;
		drain->checkpoint_capacity = drain->frame_capacity;
	}
	for (uint32_t i = 0; i < depth; i++) {
		const struct dwell_frame *frame = &drain->pair.frames[i];
		bool unknown = frame->id == DWELL_ID_UNKNOWN;

		drain->checkpoint[i] = (struct message_frame){
			.place = unknown ? 0 : frame->id,
			.enter_ticks = frame->enter_ticks,
			.child_ticks = frame->child_ticks,
			.no_entry = (frame->flags & DWELL_CALL_NO_ENTRY) != 0,
			.no_place = unknown,
		};
	}
	return depth;
}

/* What was taken may be written again. Where a slot is claimed before it is written, the writer must find it zero. */
static void give_back(struct drain *drain, uint64_t end)
{
	if (!drain->ring->commits_last)
		for (uint64_t at = drain->consumed; at < end; at += DWELL_SLOT_BYTES)
			*slot_at(drain, at) = 0;
	if (drain->release)
		drain->release(drain, drain->consumed, end);
	drain->consumed = end;
	__atomic_store_n(&drain->ring->consumed, end, __ATOMIC_RELEASE);
}

static void take_run(struct drain *drain, uint64_t bytes, struct packer *packer, struct trace_writer *writer)
{
	uint64_t begin = drain->consumed, end = begin + bytes, in_ring = begin & (drain->ring_bytes - 1);
	uint64_t to_wrap = drain->ring_bytes - in_ring, first_part = bytes < to_wrap ? bytes : to_wrap;
	/* What the slots before said and these go by. A block says the time itself. */
	uint64_t head[2] = {
		dwell_slot_make(DWELL_TAG_TIME, drain->fold.cursor.high),
		dwell_slot_make(DWELL_TAG_WINDOW, drain->fold.cursor.window),
	};
	size_t head_bytes = begin % DWELL_BLOCK_BYTES == 0 ? 0 : drain->fold.cursor.window ? sizeof head : sizeof head[0];
	struct bytes pieces[3] = {
		{(const uint8_t *)head, head_bytes},
		{(const uint8_t *)(uintptr_t)slot_at(drain, begin), first_part},
		{(const uint8_t *)(uintptr_t)slot_at(drain, 0), bytes - first_part},
	};
	struct trace_slots slots = {.stream = drain->stream, .pieces = pieces, .piece_count = 3, .packer = packer};
	const struct dwell_fold_summary *summary = &drain->fold.summary;

	slots.frame_count = make_checkpoint(drain);
	slots.frames = drain->checkpoint;
	dwell_fold_begin(&drain->fold);
	for (uint64_t at = begin, next; at != end; at = next) {
		next = end - at < DWELL_BLOCK_BYTES ? end : (at / DWELL_BLOCK_BYTES + 1) * DWELL_BLOCK_BYTES;
		reserve_frames(drain, (uint32_t)(next - at) / DWELL_SLOT_BYTES);
		dwell_fold_slots(&drain->fold, slot_at(drain, at), (uint32_t)(next - at) / DWELL_SLOT_BYTES);
	}
	slots.first_ticks = summary->first_ticks;
	slots.last_ticks = summary->last_ticks;
	slots.events = (uint32_t)summary->events;
	drain->events += summary->events;
	drain->holes += summary->holes;
	trace_writer_slots(writer, &slots);
	give_back(drain, end);
}

void drain_take(struct drain *drain, uint64_t bytes, struct packer *packer, struct trace_writer *writer)
{
	while (bytes) {
		/* A deep stack at the head of each chunk must not outweigh it. */
		uint64_t most = DRAIN_CHUNK_BYTES + (uint64_t)drain->pair.depth * DWELL_FRAME_BYTES * 8;
		uint64_t run = bytes;

		if (most > TRACE_WRITER_SLOTS_MAX - DWELL_BLOCK_BYTES)
			most = TRACE_WRITER_SLOTS_MAX - DWELL_BLOCK_BYTES;
		/* Between blocks, so that what was recorded together stays in one chunk. */
		if (run > most)
			run = (drain->consumed + most) / DWELL_BLOCK_BYTES * DWELL_BLOCK_BYTES - drain->consumed;
		take_run(drain, run, packer, writer);
		bytes -= run;
	}
}
