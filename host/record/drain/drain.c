/* drain: copies slots out of a ring, passes them through the stages, and writes chunks with a checkpoint. See drain.h. */
#include "record/drain/drain.h"

#include <stdlib.h>
#include <string.h>

#include "record/drain/drain_row.h"
#include "record/session/session.h"
#include "target/port/os/linux/session.h"
#include "util/array.h"
#include "util/clock.h"

bool drain_begin(struct drain *drain, uint32_t stream, struct dwell_ring *ring, uint64_t ring_bytes, struct stage_thread *stages)
{
	*drain = (struct drain){
		.stream = stream, .ring = ring, .ring_bytes = ring_bytes, .stages = stages, .calls = make_follower()};
	for (const struct stage_thread *stage = stages; stage; stage = stage->next)
		drain->has_no_output |= stage->type->has_no_output;
	return drain->calls;
}

void drain_set_copy(struct drain *drain)
{
	follower_set_copy(drain->calls);
}

void drain_end(struct drain *drain)
{
	stages_end_thread(drain->stages);
	free_follower(drain->calls);
	free(drain->checkpoint);
	gap_clear(&drain->gap);
	in_order_clear(&drain->in_order);
	drain->stages = NULL;
	drain->calls = NULL;
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

/* Adds the open frames of one stack to the checkpoint. A suspended stack has not run
 * since its last event, so the time since this event is not own time of the innermost call. */
static uint32_t add_frames(struct drain *drain, uint32_t count, uint32_t stack, const struct dwell_pair *pair)
{
	for (uint32_t i = 0; i < pair->depth; i++) {
		const struct dwell_frame *frame = &pair->frames[i];
		bool unknown = frame->id == DWELL_ID_UNKNOWN;

		drain->checkpoint[count++] = (struct message_frame){
			.place = unknown ? 0 : frame->id,
			.enter_ticks = frame->enter_ticks,
			.child_ticks = frame->child_ticks,
			.stack = stack,
			.no_entry = (frame->flags & DWELL_CALL_NO_ENTRY) != 0,
			.no_place = unknown,
			.is_piece = (frame->flags & DWELL_CALL_PIECE) != 0,
		};
	}
	if (pair->depth && pair != drain->calls->fold.pair)
		drain->checkpoint[count - 1].child_ticks +=
			pair->wait_stopped_ticks + pair->wait_lost_ticks + drain->calls->fold.pair->last_ticks - pair->last_ticks;
	return count;
}

/* Makes the checkpoint: the list of open frames. Returns their number. */
static uint32_t make_checkpoint(struct drain *drain)
{
	uint64_t depth = follower_open_calls(drain->calls);
	uint32_t count = 0;

	if (depth > UINT32_MAX || !array_reserve(&drain->checkpoint, &drain->checkpoint_capacity, depth, sizeof *drain->checkpoint))
		return 0;
	for (size_t i = 0; i < drain->calls->stack_count; i++)
		count = add_frames(drain, count, drain->calls->stacks[i]->number, &drain->calls->stacks[i]->pair);
	return count;
}

/* Lets the recording thread write to positions [begin, end) of the ring again, and wakes the thread if it waits for room. */
static void release_slots(struct drain *drain, uint64_t begin, uint64_t end)
{
	if (!drain->ring->commits_last)
		for (uint64_t at = begin; at < end; at += DWELL_SLOT_BYTES)
			*slot_at(drain, at) = 0;
	if (drain->release)
		drain->release(drain, begin, end);
	__atomic_store_n(&drain->ring->consumed, end, __ATOMIC_SEQ_CST);
	/* Waking the thread for each block would cost too much: with half a ring free the thread runs for a while. */
	if (__atomic_load_n(&drain->ring->waiting, __ATOMIC_SEQ_CST) && drain->ring->pos - end <= drain->ring->room / 2)
		session_wake(drain->ring);
}

/* Copies the next bytes of the ring to the worker's memory. Returns the number of bytes, fewer when memory is short. */
static uint64_t copy_slots(struct drain *drain, uint64_t bytes, struct workers_buffers *buffers)
{
	uint64_t begin = drain->consumed, to_wrap = drain->ring_bytes - (begin & (drain->ring_bytes - 1)), first;

	if (!array_reserve(&buffers->slots, &buffers->slot_capacity, bytes / DWELL_SLOT_BYTES, DWELL_SLOT_BYTES))
		bytes = buffers->slot_capacity * DWELL_SLOT_BYTES;
	first = bytes < to_wrap ? bytes : to_wrap;
	memcpy(buffers->slots, (const void *)(uintptr_t)slot_at(drain, begin), first);
	memcpy((unsigned char *)buffers->slots + first, (const void *)(uintptr_t)slot_at(drain, 0), bytes - first);
	return bytes;
}

/* Copies the next bytes of the ring to the worker's memory, and lets the program overwrite the ring's bytes. So the drain reads
 * each slot only once, even if the program changes the slot meanwhile, and the program has room at once. Returns the number of
 * bytes, as copy_slots. */
static uint64_t take_slots(struct drain *drain, uint64_t bytes, struct workers_buffers *buffers)
{
	uint64_t begin = drain->consumed;

	bytes = copy_slots(drain, bytes, buffers);
	release_slots(drain, begin, begin + bytes);
	drain->consumed += bytes;
	return bytes;
}

/* Updates the open calls by slots that are in the file, or lost. */
static void follow_slots(struct drain *drain, const uint64_t *slots, uint32_t count)
{
	struct dwell_fold *fold = &drain->calls->fold;

	for (uint32_t done = 0, part, usual; done < count; done += part) {
		part = count - done < DWELL_BLOCK_SLOTS ? count - done : DWELL_BLOCK_SLOTS;
		usual = drain_fold_row(fold, slots + done, part);
		dwell_fold_slots(fold, slots + done + usual, part - usual);
	}
}

/* The batch's slots with corrected times, as readers correct times. Sets *count to the number of slots. */
static const uint64_t *put_in_order(struct drain *drain, const struct stage_batch *batch, uint32_t *count)
{
	*count = batch->count;
	return batch->is_in_order ? batch->slots : in_order_correct(&drain->in_order, batch->slots, count);
}

/* Writes the state in which the batch's slots have to be read. A block of the ring contains its state, except for a WINDOW in the
 * last slot of the block before, and except after a change of stacks. count: slots in head already. Returns the new number. */
static uint32_t put_state(const struct dwell_fold *fold, bool begins_block, uint64_t *head, uint32_t count)
{
	if (begins_block && !fold->changed_stacks && !fold->cursor.window)
		return count;
	if (!count || (uint32_t)(head[0] >> 32) != fold->cursor.high)
		head[count++] = dwell_slot_make(DWELL_TAG_TIME, fold->cursor.high);
	if (fold->changed_stacks)
		head[count++] = dwell_slot_make(DWELL_TAG_STACK, fold->stack);
	if (fold->next_stack != fold->stack)
		head[count++] = dwell_slot_make(DWELL_TAG_STACK, fold->next_stack);
	if (fold->cursor.window & DWELL_CURSOR_ENTRY)
		head[count++] = dwell_slot_make(DWELL_TAG_ENTRY, 0); /* the slots before have the call site */
	if (fold->cursor.window & ~DWELL_CURSOR_ENTRY)
		head[count++] = dwell_slot_make(DWELL_TAG_WINDOW, fold->cursor.window & ~DWELL_CURSOR_ENTRY);
	return count;
}

/* Writes a chunk: the preceding gap, if any, and the slots. begins_block: the slots are an unchanged block of the ring. */
static void write_batch(struct drain *drain, const struct stage_batch *batch, bool begins_block)
{
	struct dwell_fold *fold = &drain->calls->fold;
	const struct dwell_fold_summary *summary = &fold->summary;
	uint32_t count, head_count = 0;
	const uint64_t *ordered = put_in_order(drain, batch, &count);
	uint64_t head[6 + GAP_SLOTS];
	struct trace_slots chunk = {.stream = drain->stream, .piece_count = 2, .packer = batch->buffers->packer};
	struct bytes pieces[2];

	chunk.frame_count = make_checkpoint(drain);
	chunk.frames = drain->checkpoint;
	dwell_fold_begin(fold);
	if (drain->gap.exact)
		trace_writer_skip_slots(batch->writer, drain->stream); /* the checkpoint describes the moment behind the gap */
	if (drain->gap.open) {
		head[head_count++] = dwell_slot_make(DWELL_TAG_TIME, fold->cursor.high);
		drain->dropped += gap_end(&drain->gap, fold, head + head_count);
		head_count += GAP_SLOTS;
	}
	head_count = put_state(fold, begins_block, head, head_count);
	pieces[0] = (struct bytes){(const uint8_t *)head, head_count * DWELL_SLOT_BYTES};
	pieces[1] = (struct bytes){(const uint8_t *)batch->slots, (uint64_t)batch->count * DWELL_SLOT_BYTES};
	chunk.pieces = pieces;
	follow_slots(drain, ordered, count);
	chunk.first_ticks = summary->first_ticks;
	chunk.last_ticks = summary->last_ticks;
	chunk.events = (uint32_t)summary->events;
	drain->events += summary->events;
	drain->holes += summary->holes;
	trace_writer_slots(batch->writer, &chunk);
}

/* Adds a dropped batch to the gap. A LOST cannot describe the fate of several stacks of one thread. So the drain follows a gap with
 * several stacks (gap.exact) to the gap's end. The gap skips a sequence number, so readers rely on the checkpoint behind it. */
static void drop_batch(struct drain *drain, const struct stage_batch *batch)
{
	struct dwell_fold *fold = &drain->calls->fold;
	uint32_t count;
	const uint64_t *ordered = put_in_order(drain, batch, &count);

	if (!drain->gap.exact) {
		gap_add(&drain->gap, ordered, count);
		return;
	}
	dwell_fold_begin(fold);
	follow_slots(drain, ordered, count);
	drain->gap.dropped += fold->summary.events + fold->summary.holes;
}

uint64_t drain_batch_bytes(const struct drain *drain, uint64_t bytes)
{
	/* The checkpoint of a deep stack at the head of each chunk must not outweigh its slots. */
	uint64_t most = DRAIN_CHUNK_BYTES + follower_open_calls(drain->calls) * DWELL_FRAME_BYTES * 8;

	if (most > TRACE_WRITER_SLOTS_MAX - DWELL_BLOCK_BYTES)
		most = TRACE_WRITER_SLOTS_MAX - DWELL_BLOCK_BYTES;
	/* Ends between two blocks: slots recorded together stay in one chunk. */
	return bytes <= most ? bytes : (drain->consumed + most) / DWELL_BLOCK_BYTES * DWELL_BLOCK_BYTES - drain->consumed;
}

/* Whether half of the ring's room is full: the disk is too slow, and the program will soon lose events. */
static bool is_ring_half_full(const struct drain *drain)
{
	return __atomic_load_n(&drain->ring->pos, __ATOMIC_RELAXED) - drain->consumed >= drain->ring->room / 2;
}

/* Notes the functions in the written slots, to write the functions' names later. With a packer, reads the packer's list of low
 * words: the list has each word only once, so the list is quicker to read than the slots. */
static void note_places(const struct stage_batch *batch)
{
	struct workers_buffers *buffers = batch->buffers;
	uint32_t count = 0;
	const uint32_t *lows = buffers->packer ? packer_get_lows(buffers->packer, &count) : NULL;

	for (uint32_t i = 0; i < count; i++)
		address_set_add(&buffers->places, lows[i] & ~1u);
	for (uint32_t i = 0; !lows && i < batch->count; i++)
		if (!dwell_slot_is_tag(batch->slots[i]))
			address_set_add(&buffers->places, (uint32_t)batch->slots[i] & ~1u);
}

/* The open calls behind a stage: the open calls of the next stage with a follower, or else the open calls in the file.
 * Null: unknown, in a gap. */
static const struct follower *get_open(const struct drain *drain, const struct stage_thread *stage)
{
	if (drain->gap.open)
		return NULL;
	while ((stage = stage->next))
		if (stage->calls)
			return stage->calls;
	return drain->calls;
}

/* Passes the batch through the stages. Returns whether slots are left to write. */
static bool run_stages(struct drain *drain, struct stage_batch *batch)
{
	for (struct stage_thread *stage = drain->stages; stage; stage = stage->next) {
		if (stage->type->in_order && !batch->is_in_order) {
			batch->slots = in_order_correct(&drain->in_order, batch->slots, &batch->count);
			batch->is_in_order = true;
			batch->late_stamps = drain->in_order.late;
		}
		stage->type->take(stage, batch, get_open(drain, stage));
	}
	return batch->count;
}

/* Whether the drain may drop slots. If gap_begin fails, the gap would have an unknown depth, so the slots stay in the ring. */
static bool can_drop(struct drain *drain)
{
	return !drain->program_waits && is_ring_half_full(drain) &&
	       (drain->gap.open || gap_begin(&drain->gap, &drain->calls->fold));
}

/* The job of drain_take: takes slots until consumed is end, or until the disk is too slow and the slots must stay in the ring. */
static void drain_slots(void *context, struct workers_buffers *buffers)
{
	struct drain *drain = context;

	while (drain->consumed != drain->end) {
		struct stage_batch batch = {.now_ns = clock_now_ns(), .buffers = buffers, .writer = drain->writer};
		uint64_t begin = drain->consumed, bytes = drain_batch_bytes(drain, drain->end - begin);

		if (drain->waits_for_disk && !drain->has_no_output)
			trace_writer_wait(drain->writer);
		else if (!drain->has_no_output)
			batch.is_lost = trace_writer_is_full(drain->writer);
		if (batch.is_lost && !can_drop(drain))
			return;
		batch.count = (uint32_t)(take_slots(drain, bytes, buffers) / DWELL_SLOT_BYTES);
		batch.slots = buffers->slots;
		if (!run_stages(drain, &batch))
			continue;
		if (batch.is_lost) {
			drop_batch(drain, &batch);
			continue;
		}
		write_batch(drain, &batch, !batch.is_changed && begin % DWELL_BLOCK_BYTES == 0);
		note_places(&batch);
	}
}

void drain_take(struct drain *drain, uint64_t bytes, bool waits_for_disk, struct workers *workers, struct trace_writer *writer)
{
	drain->job = (struct workers_job){.run = drain_slots, .context = drain};
	drain->workers = workers;
	drain->writer = writer;
	drain->end = drain->consumed + bytes;
	drain->waits_for_disk = waits_for_disk;
	workers_submit(workers, &drain->job);
}

void drain_run_stages(struct drain *drain, uint64_t now_ns, struct workers *workers, struct trace_writer *writer)
{
	struct stage_batch batch = {.now_ns = now_ns, .buffers = workers_get_buffers(workers), .writer = writer};

	batch.slots = batch.buffers->slots;
	run_stages(drain, &batch);
}

void drain_finish(struct drain *drain, const struct message_thread *of, struct workers *workers, struct trace_writer *writer)
{
	struct stage_batch batch = {.is_last = true, .thread = of, .buffers = workers_get_buffers(workers), .writer = writer};

	batch.slots = batch.buffers->slots;
	if (run_stages(drain, &batch) || drain->gap.open)
		write_batch(drain, &batch, false);
}
