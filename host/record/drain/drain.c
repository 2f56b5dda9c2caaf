#include "record/drain/drain.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "record/drain/drain_inner.h"
#include "record/drain/drain_row.h"
#include "record/session/session.h"
#include "target/port/os/linux/session.h"
#include "util/array.h"

#define FRAMES_AT_FIRST (2 * DWELL_BLOCK_SLOTS)

static void reserve_frames(struct drain *drain, uint32_t more);

static struct dwell_pair *find_stack(void *context, uint32_t number)
{
	struct drain *drain = context;

	return number ? drain_stacks_find(&drain->stacks, number, drain->fold.pair) : &drain->pair;
}

static void grow_stack(void *context, struct dwell_pair *pair)
{
	struct drain *drain = context;

	if (pair == &drain->pair)
		reserve_frames(drain, 1);
	else
		drain_stacks_grow(pair);
}

static struct dwell_pair *get_stack(void *context, uint32_t index)
{
	struct drain *drain = context;

	return index ? drain_stacks_get(&drain->stacks, index - 1) : &drain->pair;
}

bool drain_begin(struct drain *drain, uint32_t stream, struct dwell_ring *ring, uint64_t ring_bytes)
{
	*drain = (struct drain){.stream = stream, .ring = ring, .ring_bytes = ring_bytes};
	drain->frames = malloc(FRAMES_AT_FIRST * sizeof *drain->frames);
	if (!drain->frames)
		return false;
	drain->frame_capacity = FRAMES_AT_FIRST;
	dwell_pair_init(&drain->pair, drain->frames, drain->frame_capacity);
	dwell_fold_init(&drain->fold, &drain->pair, NULL);
	drain->fold_stacks = (struct dwell_fold_stacks){drain, find_stack, grow_stack, get_stack};
	dwell_fold_set_stacks(&drain->fold, &drain->fold_stacks);
	return true;
}

void drain_set_copy(struct drain *drain)
{
	drain->pair.is_copy = drain->stacks.is_copy = true;
	if (drain->count)
		depth_set_copy(drain->count->calls);
	if (drain->longer)
		depth_set_copy(drain->longer->calls);
}

void drain_end(struct drain *drain)
{
	drain_stacks_clear(&drain->stacks);
	free(drain->frames);
	free(drain->checkpoint);
	sieve_end(&drain->sieve);
	free_count(drain->count);
	if (drain->relay)
		relay_clear(drain->relay);
	free(drain->relay);
	drain->relay = NULL;
	free_longer(drain->longer);
	free_slow_thread(drain->slow);
	drain->slow = NULL;
	drain->count = NULL;
	drain->longer = NULL;
	gap_clear(&drain->gap);
	in_order_clear(&drain->in_order);
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

	drain->begin = drain->consumed;
	if (drain->relay && !drain->broken && !relay_see(drain->relay, pos, all, &drain->begin)) {
		drain->broken = drain->relay->broken;
		return 0; /* it is the thread's turn */
	}
	if (drain->broken || pos % DWELL_SLOT_BYTES || pos < drain->begin || pos - drain->begin > drain->ring_bytes) {
		drain->broken = true;
		return 0;
	}
	if (all || drain->ring->commits_last)
		return pos - drain->begin;
	for (end = drain->begin; end < pos && *slot_at(drain, end); end += DWELL_SLOT_BYTES)
		;
	return end - drain->begin;
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

/* The open frames of one stack. One that is suspended is that since its last event: time that its innermost call has not spent. */
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
	if (pair->depth && pair != drain->fold.pair)
		drain->checkpoint[count - 1].child_ticks +=
			pair->wait_off_ticks + pair->wait_lost_ticks + drain->fold.pair->last_ticks - pair->last_ticks;
	return count;
}

static uint64_t open_frames(const struct drain *drain)
{
	return drain->pair.depth + drain_stacks_depth(&drain->stacks);
}

/* Makes the checkpoint: the frames that are open now. */
static uint32_t make_checkpoint(struct drain *drain)
{
	uint64_t depth = open_frames(drain);
	uint32_t count;

	if (depth > drain->checkpoint_capacity) {
		struct message_frame *grown = depth > UINT32_MAX / 2 ? NULL : realloc(drain->checkpoint, depth * 2 * sizeof *grown);

		if (!grown)
			return 0;
		drain->checkpoint = grown;
		drain->checkpoint_capacity = (uint32_t)depth * 2;
	}
	count = add_frames(drain, 0, 0, &drain->pair);
	for (size_t i = 0; i < drain->stacks.count; i++)
		count = add_frames(drain, count, drain->stacks.list[i]->number, &drain->stacks.list[i]->pair);
	return count;
}

void drain_give_back(struct drain *drain, uint64_t begin, uint64_t end)
{
	if (!drain->ring->commits_last)
		for (uint64_t at = begin; at < end; at += DWELL_SLOT_BYTES)
			*slot_at(drain, at) = 0;
	if (drain->release)
		drain->release(drain, begin, end);
	__atomic_store_n(&drain->ring->consumed, end, __ATOMIC_SEQ_CST);
	/* Not for each block: half a ring is room for a while. */
	if (__atomic_load_n(&drain->ring->waiting, __ATOMIC_SEQ_CST) && drain->ring->pos - end <= drain->ring->room / 2)
		session_wake(drain->ring);
}

uint64_t drain_copy_slots(struct drain *drain, uint64_t bytes, struct workers_desk *desk)
{
	uint64_t begin = drain->consumed, to_wrap = drain->ring_bytes - (begin & (drain->ring_bytes - 1)), first;

	if (!array_reserve(&desk->slots, &desk->slot_capacity, bytes / DWELL_SLOT_BYTES, DWELL_SLOT_BYTES))
		bytes = desk->slot_capacity * DWELL_SLOT_BYTES;
	first = bytes < to_wrap ? bytes : to_wrap;
	memcpy(desk->slots, (const void *)(uintptr_t)slot_at(drain, begin), first);
	memcpy((unsigned char *)desk->slots + first, (const void *)(uintptr_t)slot_at(drain, 0), bytes - first);
	return bytes;
}

/* Copies the next bytes of the ring to the desk and gives them back: each slot is read once, whatever the program does meanwhile, and it
 * has the room again at once. Returns how many, fewer when memory is short. */
static uint64_t take_slots(struct drain *drain, uint64_t bytes, struct workers_desk *desk)
{
	uint64_t begin = drain->consumed;

	bytes = drain_copy_slots(drain, bytes, desk);
	drain_give_back(drain, begin, begin + bytes);
	drain->consumed += bytes;
	return bytes;
}

/* A block at a time, so that the frames of a block find room. */
static void fold_slots(struct drain *drain, const uint64_t *slots, uint32_t count)
{
	for (uint32_t done = 0, part, usual; done < count; done += part) {
		part = count - done < DWELL_BLOCK_SLOTS ? count - done : DWELL_BLOCK_SLOTS;
		reserve_frames(drain, part);
		usual = drain_fold_row(&drain->fold, slots + done, part);
		dwell_fold_slots(&drain->fold, slots + done + usual, part - usual);
	}
}

/* Slots with their times put right, as whoever reads them does it. */
struct ordered {
	const uint64_t *slots;
	uint32_t count;
};

/* A chunk: what is to be said of a gap, and the slots. begin: where they were in the ring. */
static void write_run(struct drain *drain, uint64_t begin, const uint64_t *slots, uint64_t bytes, struct ordered ordered,
	struct packer *packer, struct trace_writer *writer)
{
	const struct dwell_fold_summary *summary = &drain->fold.summary;
	uint64_t head[6 + GAP_SLOTS], head_count = 0;
	struct trace_slots run = {.stream = drain->stream, .piece_count = 2, .packer = packer};
	struct bytes pieces[2];

	run.frame_count = make_checkpoint(drain);
	run.frames = drain->checkpoint;
	dwell_fold_begin(&drain->fold);
	if (drain->gap.exact)
		trace_writer_skip_slots(writer, drain->stream); /* the checkpoint is that behind the gap */
	if (drain->gap.open) {
		head[head_count++] = dwell_slot_make(DWELL_TAG_TIME, drain->fold.cursor.high);
		drain->dropped += gap_end(&drain->gap, &drain->fold, head + head_count);
		head_count += GAP_SLOTS;
	}
	/* What the slots before said and these go by. A block says it itself, but for a WINDOW in the last slot of the one before; and
	 * whoever sees a change of stacks cannot know that it does. */
	if (begin % DWELL_BLOCK_BYTES || drain->fold.changed_stacks || drain->fold.cursor.window) {
		if (!head_count || (uint32_t)(head[0] >> 32) != drain->fold.cursor.high)
			head[head_count++] = dwell_slot_make(DWELL_TAG_TIME, drain->fold.cursor.high);
		if (drain->fold.changed_stacks)
			head[head_count++] = dwell_slot_make(DWELL_TAG_STACK, drain->fold.stack);
		if (drain->fold.next_stack != drain->fold.stack)
			head[head_count++] = dwell_slot_make(DWELL_TAG_STACK, drain->fold.next_stack);
		if (drain->fold.cursor.window & DWELL_CURSOR_ENTRY)
			head[head_count++] = dwell_slot_make(DWELL_TAG_ENTRY, 0); /* its call site was said */
		if (drain->fold.cursor.window & ~DWELL_CURSOR_ENTRY)
			head[head_count++] = dwell_slot_make(DWELL_TAG_WINDOW, drain->fold.cursor.window & ~DWELL_CURSOR_ENTRY);
	}
	pieces[0] = (struct bytes){(const uint8_t *)head, head_count * DWELL_SLOT_BYTES};
	pieces[1] = (struct bytes){(const uint8_t *)slots, bytes};
	run.pieces = pieces;
	fold_slots(drain, ordered.slots, ordered.count);
	run.first_ticks = summary->first_ticks;
	run.last_ticks = summary->last_ticks;
	run.events = (uint32_t)summary->events;
	drain->events += summary->events;
	drain->holes += summary->holes;
	trace_writer_slots(writer, &run);
}

/* Of a thread with several stacks a LOST cannot say what happened to each of them. So its gap is followed to the end, and the sequence
 * number that is left out tells whoever reads to believe the checkpoint behind it. */
static void drop_exactly(struct drain *drain, const uint64_t *slots, uint32_t count)
{
	dwell_fold_begin(&drain->fold);
	fold_slots(drain, slots, count);
	drain->gap.dropped += drain->fold.summary.events + drain->fold.summary.holes;
}

uint64_t drain_run_bytes(const struct drain *drain, uint64_t bytes)
{
	/* A deep stack at the head of each chunk must not outweigh it. */
	uint64_t most = DRAIN_CHUNK_BYTES + open_frames(drain) * DWELL_FRAME_BYTES * 8;

	if (most > TRACE_WRITER_SLOTS_MAX - DWELL_BLOCK_BYTES)
		most = TRACE_WRITER_SLOTS_MAX - DWELL_BLOCK_BYTES;
	/* Between blocks, so that what was recorded together stays in one chunk. */
	return bytes <= most ? bytes : (drain->consumed + most) / DWELL_BLOCK_BYTES * DWELL_BLOCK_BYTES - drain->consumed;
}

/* Whether the disk cannot follow, and the program would soon have to lose events itself. */
static bool is_pressed(const struct drain *drain)
{
	return __atomic_load_n(&drain->ring->pos, __ATOMIC_RELAXED) - drain->consumed >= drain->ring->room / 2;
}

/* Which functions are in what was written. The packer knows each word once, so nothing is looked at twice. */
static void note_places(struct workers_desk *desk, uint64_t bytes)
{
	uint32_t count = 0;
	const uint32_t *lows = desk->packer ? packer_get_lows(desk->packer, &count) : NULL;

	for (uint32_t i = 0; i < count; i++)
		address_set_add(&desk->places, lows[i] & ~1u);
	for (uint64_t i = 0; !lows && i < bytes / DWELL_SLOT_BYTES; i++)
		if (!dwell_slot_is_tag(desk->slots[i]))
			address_set_add(&desk->places, (uint32_t)desk->slots[i] & ~1u);
}

/* What is left of the slots on the desk is in no block any more. */
#define SIFTED DWELL_SLOT_BYTES

/* What was made of the slots takes their place. */
static uint64_t swap_sifted(struct workers_desk *desk, uint32_t count)
{
	uint64_t *swapped = desk->slots;
	size_t capacity = desk->slot_capacity;

	desk->slots = desk->sifted;
	desk->slot_capacity = desk->sifted_capacity;
	desk->sifted = swapped;
	desk->sifted_capacity = capacity;
	return (uint64_t)count * DWELL_SLOT_BYTES;
}

static uint64_t sift(struct drain *drain, uint64_t bytes, struct workers_desk *desk)
{
	uint32_t count = (uint32_t)(bytes / DWELL_SLOT_BYTES), exits = 0;

	if (!array_reserve(&desk->sifted, &desk->sifted_capacity, (uint64_t)count + SIEVE_MORE + THROTTLE_EXITS_MAX, DWELL_SLOT_BYTES))
		return bytes; /* too much is better than too little */
	if (drain->throttle)
		exits = throttle_take_exits(drain->throttle, desk->sifted);
	return swap_sifted(desk, exits + sieve_slots(&drain->sieve, desk->slots, count, desk->sifted + exits));
}

/* Up to where code was mapped or unmapped, what was counted is written: later its addresses are others' functions. What is held is listed
 * there, since nobody knows yet whether it is to be counted. */
static uint32_t list_parts(struct drain *drain, struct ordered ordered, struct workers_desk *desk)
{
	struct longer *longer = drain->longer;
	const struct turnover_change *change;
	uint32_t done = 0, listed = 0;

	while ((change = turnover_next(&drain->turnover))) {
		uint32_t part = turnover_before(change, longer->calls->fold.cursor, ordered.slots + done, ordered.count - done);

		if (done + part == ordered.count)
			break;
		listed += longer_slots(longer, ordered.slots + done, part, desk->sifted + listed);
		listed += longer_finish(longer, desk->sifted + listed);
		done += part;
		turnover_pass(&drain->turnover, change);
		if (!turnover_has(change, &longer->sums.paths))
			continue;
		longer_note_places(longer, &desk->places);
		longer_write(longer, drain->stream, 0, drain->writer);
	}
	return listed + longer_slots(longer, ordered.slots + done, ordered.count - done, desk->sifted + listed);
}

/* What is dropped is lost, and counted as that: nothing of it may be counted elsewhere. */
static uint64_t leave_out_short(struct drain *drain, struct ordered *ordered, struct workers_desk *desk, bool drops)
{
	struct longer *longer = drain->longer;
	uint64_t bytes;

	if (!array_reserve(&desk->sifted, &desk->sifted_capacity, longer_room(longer, ordered->count), DWELL_SLOT_BYTES))
		return 0; /* a gap, which the slots behind it do not fit to */
	longer->passes = drops;
	longer->late_stamps = drain->in_order.late;
	bytes = swap_sifted(desk, list_parts(drain, *ordered, desk));
	*ordered = (struct ordered){desk->slots, (uint32_t)(bytes / DWELL_SLOT_BYTES)};
	return bytes;
}

static struct ordered put_in_order(struct drain *drain, const uint64_t *slots, uint64_t bytes)
{
	struct ordered ordered = {.count = (uint32_t)(bytes / DWELL_SLOT_BYTES)};

	ordered.slots = in_order_slots(&drain->in_order, slots, &ordered.count);
	return ordered;
}

void drain_choose(struct drain *drain)
{
	if (!drain->throttle)
		return;
	throttle_choose(drain->throttle, drain);
	if (!drain->sieve.throttle && throttle_is_dropping(drain->throttle)) {
		if (!sieve_is_on(&drain->sieve)) /* it was not asked so far */
			drain->sieve.cursor = drain->fold.cursor;
		drain->sieve.throttle = drain->throttle;
	}
}

uint64_t drain_now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* So few at a time that what they add finds room: see path_sums_is_full. */
#define COUNT_SLOTS 2048u

static void count_some(struct drain *drain, const uint64_t *slots, uint32_t count, uint64_t now_ns, struct workers_desk *desk)
{
	for (uint32_t done = 0, part; done < count; done += part) {
		part = count - done < COUNT_SLOTS ? count - done : COUNT_SLOTS;
		drain->events += count_slots(drain->count, slots + done, part, count - done - part);
		count_write(drain->count, drain->stream, now_ns, &desk->places, drain->writer);
	}
}

/* See list_parts. */
static void count_parts(struct drain *drain, struct ordered ordered, struct workers_desk *desk)
{
	const struct turnover_change *change;
	uint64_t now = drain_now_ns();
	uint32_t done = 0;

	while ((change = turnover_next(&drain->turnover))) {
		uint32_t part = turnover_before(change, drain->count->calls->fold.cursor, ordered.slots + done, ordered.count - done);

		if (done + part == ordered.count)
			break;
		count_some(drain, ordered.slots + done, part, now, desk);
		done += part;
		turnover_pass(&drain->turnover, change);
		if (turnover_has(change, &drain->count->sums.paths))
			count_write(drain->count, drain->stream, 0, &desk->places, drain->writer);
	}
	count_some(drain, ordered.slots + done, ordered.count - done, now, desk);
}

void drain_count(struct drain *drain, uint64_t bytes, struct workers_desk *desk)
{
	struct ordered ordered = put_in_order(drain, desk->slots, bytes);

	drain->count->late_stamps = drain->in_order.late;
	count_parts(drain, ordered, desk);
}

/* No disk is waited for. */
static void run_count(struct drain *drain, struct workers_desk *desk)
{
	while (drain->consumed != drain->end) {
		uint64_t bytes = take_slots(drain, drain_run_bytes(drain, drain->end - drain->consumed), desk);

		if (sieve_is_on(&drain->sieve))
			bytes = sift(drain, bytes, desk);
		drain_count(drain, bytes, desk);
	}
}

static void run(void *context, struct workers_desk *desk)
{
	struct drain *drain = context;

	if (drain->relay) {
		drain_count_in_turn(drain, desk);
		return;
	}
	if (drain->count)
		run_count(drain, desk);
	while (drain->consumed != drain->end) {
		uint64_t begin = drain->consumed, bytes = drain_run_bytes(drain, drain->end - begin);
		struct ordered ordered;
		bool drops = false;

		if (drain->patient)
			trace_writer_wait(drain->writer);
		else if (!drain->slow && trace_writer_is_full(drain->writer))
			drops = true;
		/* A gap that cannot be followed would be one of unknown depth: what is in the ring waits. */
		if (drops && (drain->holds || !is_pressed(drain) || (!drain->gap.open && !gap_begin(&drain->gap, &drain->fold))))
			return;
		bytes = take_slots(drain, bytes, desk);
		if (drain->throttle && !drops)
			throttle_see(drain->throttle, desk->slots, (uint32_t)(bytes / DWELL_SLOT_BYTES));
		drain_choose(drain);
		if (sieve_is_on(&drain->sieve)) {
			bytes = sift(drain, bytes, desk);
			begin = SIFTED;
		}
		if (drain->slow) {
			slow_thread_slots(drain->slow, desk->slots, (uint32_t)(bytes / DWELL_SLOT_BYTES));
			continue;
		}
		ordered = put_in_order(drain, desk->slots, bytes);
		if (drain->longer) {
			bytes = leave_out_short(drain, &ordered, desk, drops);
			begin = SIFTED;
		}
		if (drops && drain->gap.exact)
			drop_exactly(drain, ordered.slots, ordered.count);
		else if (drops)
			gap_add(&drain->gap, ordered.slots, ordered.count);
		else if (bytes)
			write_run(drain, begin, desk->slots, bytes, ordered, desk->packer, drain->writer);
		if (!drops)
			note_places(desk, bytes);
		if (drain->longer)
			longer_note_places(drain->longer, &desk->places);
		drain_write_sums(drain, drain_now_ns(), &desk->places, drain->writer);
	}
}

void drain_write_sums(struct drain *drain, uint64_t now_ns, struct address_set *places, struct trace_writer *writer)
{
	if (drain->count)
		count_write(drain->count, drain->stream, now_ns, places, writer);
	if (drain->longer)
		longer_write(drain->longer, drain->stream, now_ns, writer);
}

void drain_take(struct drain *drain, uint64_t bytes, bool patient, struct workers *workers, struct trace_writer *writer)
{
	drain->job = (struct workers_job){.run = run, .context = drain};
	drain->workers = workers;
	drain->writer = writer;
	drain->end = (drain->relay ? drain->begin : drain->consumed) + bytes;
	drain->patient = patient;
	workers_give(workers, &drain->job);
}

/* Nothing of it is held any more. */
static void finish_longer(struct drain *drain, struct trace_writer *writer)
{
	uint64_t *slots = malloc(longer_room(drain->longer, 0) * sizeof *slots);
	uint32_t count = slots ? longer_finish(drain->longer, slots) : 0;

	if (count)
		write_run(drain, SIFTED, slots, count * DWELL_SLOT_BYTES, (struct ordered){slots, count}, NULL, writer);
	free(slots);
}

void drain_finish(struct drain *drain, struct address_set *places, struct trace_writer *writer)
{
	uint64_t exits[THROTTLE_EXITS_MAX];
	uint32_t count = drain->throttle ? throttle_take_exits(drain->throttle, exits) : 0;

	if (drain->gap.open || count)
		write_run(drain, SIFTED, exits, count * DWELL_SLOT_BYTES, (struct ordered){exits, count}, NULL, writer);
	if (drain->longer)
		finish_longer(drain, writer);
	drain_write_sums(drain, 0, places, writer);
}
