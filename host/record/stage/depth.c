/* depth: see depth.h. */
#include "record/stage/depth.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES_AT_FIRST 256u

static struct dwell_pair *find_stack(void *context, uint32_t number)
{
	struct depth *depth = context;

	return number ? drain_stacks_find(&depth->stacks, number, depth->fold.pair) : &depth->pair;
}

/* Frames that find no room are counted by the pairing, and are deep all the same. */
static void grow_stack(void *context, struct dwell_pair *pair)
{
	struct depth *depth = context;
	struct dwell_frame *frames;

	if (pair != &depth->pair) {
		drain_stacks_grow(pair);
		return;
	}
	frames = pair->capacity > UINT32_MAX / 2 ? NULL : realloc(depth->frames, (size_t)pair->capacity * 2 * sizeof *frames);
	if (!frames)
		return;
	depth->frames = frames;
	dwell_pair_grow(pair, frames, pair->capacity * 2);
}

static struct dwell_pair *get_stack(void *context, uint32_t index)
{
	struct depth *depth = context;

	return index ? drain_stacks_get(&depth->stacks, index - 1) : &depth->pair;
}

struct depth *make_depth(void)
{
	struct depth *depth = calloc(1, sizeof *depth);

	if (!depth || !(depth->frames = malloc(FRAMES_AT_FIRST * sizeof *depth->frames))) {
		free(depth);
		return NULL;
	}
	dwell_pair_init(&depth->pair, depth->frames, FRAMES_AT_FIRST);
	dwell_fold_init(&depth->fold, &depth->pair, NULL);
	depth->callbacks = (struct dwell_fold_stacks){depth, find_stack, grow_stack, get_stack};
	dwell_fold_set_stacks(&depth->fold, &depth->callbacks);
	return depth;
}

void depth_set_copy(struct depth *depth)
{
	depth->pair.is_copy = depth->stacks.is_copy = true;
}

void depth_set_without_held(struct depth *depth)
{
	depth->pair.without_held = depth->stacks.without_held = true;
}

void free_depth(struct depth *depth)
{
	if (!depth)
		return;
	drain_stacks_clear(&depth->stacks);
	free(depth->frames);
	free(depth);
}

/* Of a stack that is new here. */
static bool take_stack(struct depth *depth, const struct dwell_relay_stack *from, const struct dwell_frame *frames)
{
	struct dwell_pair *pair = find_stack(depth, from->number), told = from->pair;
	uint32_t room = told.deepest < DWELL_RELAY_THREAD_FRAMES ? told.deepest : DWELL_RELAY_THREAD_FRAMES;

	/* As if it had grown here: what a gap has left open may find room or not. */
	room = room < told.depth ? told.depth : room;
	while (pair && pair->capacity < room) {
		uint32_t capacity = pair->capacity;

		grow_stack(depth, pair);
		if (pair->capacity == capacity)
			return false;
	}
	if (!pair)
		return false;
	memcpy(pair->frames, frames + from->first, told.depth * sizeof *frames);
	told.reached = told.depth; /* what is behind them was never written here */
	dwell_pair_grow(&told, pair->frames, pair->capacity);
	*pair = told;
	return true;
}

struct depth *make_depth_at(const struct dwell_relay_state *state, const struct dwell_frame *frames)
{
	struct depth *depth = make_depth();
	bool good = depth;

	for (uint32_t i = 0; good && i < state->stack_count; i++)
		good = take_stack(depth, &state->stacks[i], frames);
	if (!good) {
		free_depth(depth);
		return NULL;
	}
	depth->fold.pair = find_stack(depth, state->stack);
	depth->fold.stack = state->stack;
	depth->fold.next_stack = state->next_stack;
	depth->fold.above = state->above;
	depth->fold.unwound = state->unwound != 0;
	depth->fold.changed_stacks = state->changed_stacks != 0;
	depth->fold.cursor = state->cursor;
	dwell_fold_begin(&depth->fold);
	return depth;
}

static bool tell_stack(uint32_t number, const struct dwell_pair *pair, struct dwell_relay_state *state, struct dwell_frame *frames)
{
	struct dwell_relay_stack *stack = &state->stacks[state->stack_count];

	if (state->stack_count == DWELL_RELAY_STACKS || pair->depth > DWELL_RELAY_DRAIN_FRAMES - state->frame_count || pair->beyond ||
		pair->lost_pushes || dwell_pair_is_due(pair))
		return false;
	*stack = (struct dwell_relay_stack){.number = number, .first = state->frame_count, .capacity = pair->depth, .pair = *pair};
	stack->pair.frames = NULL;
	memcpy(frames + stack->first, pair->frames, pair->depth * sizeof *frames);
	state->stack_count++;
	state->frame_count += pair->depth;
	return true;
}

bool depth_tell(const struct depth *depth, struct dwell_relay_state *state, struct dwell_frame *frames)
{
	bool good, runs = depth->fold.pair == &depth->pair && !depth->fold.stack;

	state->stack_count = state->frame_count = 0;
	good = tell_stack(0, &depth->pair, state, frames);
	for (size_t i = 0; good && i < depth->stacks.count; i++) {
		const struct drain_stack *stack = depth->stacks.list[i];

		good = tell_stack(stack->number, &stack->pair, state, frames);
		runs |= depth->fold.pair == &stack->pair && depth->fold.stack == stack->number;
	}
	state->stack = depth->fold.stack;
	state->next_stack = depth->fold.next_stack;
	state->above = depth->fold.above;
	state->unwound = depth->fold.unwound;
	state->changed_stacks = depth->fold.changed_stacks;
	state->cursor = depth->fold.cursor;
	return good && runs;
}

bool depth_is_valid(const struct depth *depth)
{
	bool valid = dwell_pair_is_valid(&depth->pair);

	for (size_t i = 0; i < depth->stacks.count; i++)
		valid &= dwell_pair_is_valid(&depth->stacks.list[i]->pair);
	return valid;
}

uint32_t depth_now(struct depth *depth)
{
	const struct dwell_pair *pair = depth->fold.pair;

	if (depth->fold.next_stack != depth->fold.stack && !(pair = find_stack(depth, depth->fold.next_stack)))
		pair = depth->fold.pair;
	return pair->depth + pair->beyond;
}

struct dwell_frame *depth_top(struct depth *depth)
{
	struct dwell_pair *pair = depth->fold.pair;

	return pair->depth && !pair->beyond ? &pair->frames[pair->depth - 1] : NULL;
}

void depth_feed(struct depth *depth, const uint64_t *slots, uint32_t count)
{
	dwell_fold_slots(&depth->fold, slots, count);
}
