/* walk: see walk.h. */
#include <stddef.h>

#include "core/slot.h"
#include "tracegen/walk.h"

#define SLOTS_OF_ONE_STEP 8 /* at most: TIME, unwind, CALLER, event, TIME */
#define SLOTS_WITH_VALUES 48 /* two for each argument, and as many to fill a block up with */

static uint32_t draw(struct walk *walk)
{
	uint64_t x = walk->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	walk->random = x;
	return (uint32_t)(x >> 24);
}

static void put(struct walk *walk, uint64_t slot)
{
	/* as the recorder does it: the first slot of each block tells the time */
	if ((walk->base + walk->slot_count) % DWELL_BLOCK_SLOTS == 0 || walk->high != (uint32_t)(walk->now >> 32)) {
		walk->high = (uint32_t)(walk->now >> 32);
		walk->slots[walk->slot_count++] = dwell_slot_make(DWELL_TAG_TIME, walk->high);
	}
	walk->slots[walk->slot_count++] = slot;
}

/* What is said together stands in one block. */
static void make_room(struct walk *walk, uint32_t slots)
{
	while ((walk->base + walk->slot_count) % DWELL_BLOCK_SLOTS + slots > DWELL_BLOCK_SLOTS)
		walk->slots[walk->slot_count++] = dwell_slot_make(DWELL_TAG_TIME, walk->high);
}

static void put_value(struct walk *walk, uint32_t tag, uint64_t value)
{
	walk->slots[walk->slot_count++] = dwell_slot_make(tag, (uint32_t)value);
	if (value >> 32)
		walk->slots[walk->slot_count++] = dwell_slot_make(tag + 1, (uint32_t)(value >> 32));
}

static void put_args(struct walk *walk)
{
	const uint64_t args[DWELL_ARGS_MAX] = {
		walk->depth, walk->now, ~(uint64_t)walk->depth, 0, -walk->now, walk->now << 30};

	for (uint32_t i = 0; i < walk->args; i++)
		put_value(walk, DWELL_TAG_ARG, args[i]);
}

static void put_event(struct walk *walk, uint64_t slot)
{
	if (walk->args)
		make_room(walk, 3 + 2 * walk->args); /* also for TIMEs */
	put(walk, slot);
	if (!walk->events++)
		walk->first = walk->now;
	walk->last = walk->now;
}

/* Off the CPU for a part of the time that went by since then, or for all of it. */
static void be_off(struct walk *walk, uint64_t then)
{
	uint64_t span = walk->now - then, out = then + draw(walk) % (span / 2 + 1), in = walk->now - draw(walk) % (span / 2 + 1);
	bool preempted = draw(walk) % 2;

	if (walk->switch_count == WALK_CHUNK_SWITCHES || in <= out)
		return;
	walk->switches[walk->switch_count++] = (struct message_switch){out, in, preempted};
	walk->off += in - out;
}

/* Mostly a few dozen ticks, now and then a long wait. */
static void pass_time(struct walk *walk, uint32_t random)
{
	uint64_t then = walk->now;

	walk->now += 15 + random % 64;
	if ((random >> 8) % 0x10000 == 0)
		walk->now += (uint64_t)draw(walk) << 2;
	if (walk->switch_rate && draw(walk) % walk->switch_rate == 0)
		be_off(walk, then);
}

/* Of the innermost call. */
static size_t pair_of(const struct walk *walk)
{
	size_t caller = walk->depth > 1 ? walk->stack[walk->depth - 2].function + (size_t)1 : 0;

	return caller * walk->function_count + walk->stack[walk->depth - 1].function;
}

static void enter(struct walk *walk, uint32_t function, struct walk_truth *truth)
{
	struct walk_frame *frame = &walk->stack[walk->depth++];

	truth[function].calls++;
	*frame = (struct walk_frame){function, walk->active[function]++ == 0, false, walk->now, 0, walk->off, 0};
	if (!walk->pairs)
		return;
	walk->pairs[pair_of(walk)].calls++;
	frame->outermost_pair = walk->active_pairs[pair_of(walk)]++ == 0;
}

static void leave_pair(struct walk *walk, uint64_t total, uint64_t self)
{
	struct walk_pair *pair = &walk->pairs[pair_of(walk)];

	walk->active_pairs[pair_of(walk)]--;
	pair->self += self;
	if (walk->stack[walk->depth - 1].outermost_pair)
		pair->total += total;
}

/* The innermost call ends. */
static void leave(struct walk *walk, struct walk_truth *truth)
{
	const struct walk_frame *frame = &walk->stack[walk->depth - 1];
	uint64_t total = walk->now - frame->enter, off = walk->off - frame->off_before;

	if (walk->pairs)
		leave_pair(walk, total, total - frame->child);
	walk->depth--;
	walk->active[frame->function]--;
	truth[frame->function].self += total - frame->child;
	truth[frame->function].self_off += off - frame->child_off;
	if (frame->outermost) {
		truth[frame->function].total += total;
		truth[frame->function].total_off += off;
	}
	if (walk->depth) {
		walk->stack[walk->depth - 1].child += total;
		walk->stack[walk->depth - 1].child_off += off;
	}
}

static void put_enter(struct walk *walk, uint32_t random, struct walk_truth *truth)
{
	uint32_t caller = walk->depth ? walk->stack[walk->depth - 1].function : 0, function = 0;

	/* Each function calls a handful of others, and now and then itself. */
	if (walk->depth)
		function = random % 16 ? (caller * 5 + 1 + random / 16 % 6) % walk->function_count : caller;
	put_event(walk, dwell_slot_enter(walk->places[function], (uint32_t)walk->now));
	put_args(walk);
	enter(walk, function, truth);
}

static void put_exit(struct walk *walk, struct walk_truth *truth)
{
	put_event(walk, dwell_slot_exit(walk->places[walk->stack[walk->depth - 1].function], (uint32_t)walk->now));
	if (walk->args)
		put_value(walk, DWELL_TAG_RET, walk->now - walk->stack[walk->depth - 1].enter);
	leave(walk, truth);
}

/* A longjmp, a few frames down. Where it landed is said; or what happens next tells it: the function's own exit, or a call made by
 * it. Then it is one that is not among those left (who lands would be anyone's guess otherwise). */
static void put_unwind(struct walk *walk, uint32_t random, struct walk_truth *truth)
{
	uint32_t to = walk->depth - 2 - random % 4, function, above = 0;
	bool said = walk->callers && random & 0x400;

	function = walk->stack[to].function;
	for (uint32_t i = to + 1; i < walk->depth; i++)
		above += walk->stack[i].function == function;
	if (above && !said)
		return;
	put(walk, dwell_slot_make(random & 0x100 ? DWELL_TAG_UNWIND_JUMP : DWELL_TAG_UNWIND_CATCH, (uint32_t)walk->now));
	if (above)
		put(walk, dwell_slot_make(DWELL_TAG_LANDED, above << 1 | DWELL_LANDED_ABOVE));
	if (said)
		put(walk, dwell_slot_make(DWELL_TAG_LANDED, walk->places[function]));
	while (walk->depth > to + 1)
		leave(walk, truth);
	pass_time(walk, draw(walk));
	if (!walk->callers || random & 0x200) {
		put_exit(walk, truth);
		return;
	}
	if (!said)
		put(walk, dwell_slot_make(DWELL_TAG_CALLER, walk->places[function]));
	put_enter(walk, draw(walk), truth);
}

void walk_begin_chunk(struct walk *walk)
{
	walk->base += walk->slot_count;
	walk->slot_count = walk->events = 0;
	walk->first = walk->last = 0;
	for (uint32_t i = 0; i < walk->switch_count; i++) {
		uint64_t ticks = walk->switches[i].in_ticks - walk->switches[i].out_ticks;

		walk->off_before += ticks;
		walk->preempted_before += walk->switches[i].preempted ? ticks : 0;
	}
	walk->switch_count = 0;
	walk->frame_count = walk->depth;
	for (uint32_t i = 0; i < walk->depth; i++)
		walk->frames[i] = (struct message_frame){
			.place = walk->places[walk->stack[i].function],
			.enter_ticks = walk->stack[i].enter,
			.child_ticks = walk->stack[i].child,
		};
	walk->high = (uint32_t)(walk->now >> 32);
	walk->slots[walk->slot_count++] = dwell_slot_make(DWELL_TAG_TIME, walk->high);
}

void walk_fill_chunk(struct walk *walk, uint32_t events, struct walk_truth *truth)
{
	const uint32_t step = SLOTS_OF_ONE_STEP + (walk->args ? SLOTS_WITH_VALUES : 0);

	while (walk->events < events && walk->slot_count + step <= WALK_CHUNK_SLOTS) {
		uint32_t random = draw(walk);
		pass_time(walk, random);
		if (walk->depth > 6 && random % 4096 == 0)
			put_unwind(walk, random >> 12, truth);
		else if (walk->depth < 2 || (walk->depth < walk->depth_max && random >> 16 & 1))
			put_enter(walk, random >> 17, truth);
		else
			put_exit(walk, truth);
	}
}

void walk_leave_all(struct walk *walk, struct walk_truth *truth)
{
	while (walk->depth) {
		pass_time(walk, draw(walk));
		put_exit(walk, truth);
	}
}
