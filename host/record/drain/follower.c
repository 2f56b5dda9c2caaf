/* follower: see follower.h. */
#include "record/drain/follower.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES_AT_FIRST 256u

static struct dwell_pair *find_stack(void *context, uint32_t number)
{
	struct follower *follower = context;

	return number ? drain_stacks_find(&follower->stacks, number, follower->fold.pair) : &follower->pair;
}

/* Frames that find no room are counted by the pairing, and are deep all the same. */
static void grow_stack(void *context, struct dwell_pair *pair)
{
	struct follower *follower = context;
	struct dwell_frame *frames;

	if (pair != &follower->pair) {
		drain_stacks_grow(pair);
		return;
	}
	frames = pair->capacity > UINT32_MAX / 2 ? NULL : realloc(follower->frames, (size_t)pair->capacity * 2 * sizeof *frames);
	if (!frames)
		return;
	follower->frames = frames;
	dwell_pair_grow(pair, frames, pair->capacity * 2);
}

static struct dwell_pair *get_stack(void *context, uint32_t index)
{
	struct follower *follower = context;

	return index ? drain_stacks_get(&follower->stacks, index - 1) : &follower->pair;
}

struct follower *make_follower(void)
{
	struct follower *follower = calloc(1, sizeof *follower);

	if (!follower || !(follower->frames = malloc(FRAMES_AT_FIRST * sizeof *follower->frames))) {
		free(follower);
		return NULL;
	}
	dwell_pair_init(&follower->pair, follower->frames, FRAMES_AT_FIRST);
	dwell_fold_init(&follower->fold, &follower->pair, NULL);
	follower->callbacks = (struct dwell_fold_stacks){follower, find_stack, grow_stack, get_stack};
	dwell_fold_set_stacks(&follower->fold, &follower->callbacks);
	return follower;
}

void follower_set_copy(struct follower *follower)
{
	follower->pair.is_copy = follower->stacks.is_copy = true;
}

void follower_set_without_held(struct follower *follower)
{
	follower->pair.without_held = follower->stacks.without_held = true;
}

void free_follower(struct follower *follower)
{
	if (!follower)
		return;
	drain_stacks_clear(&follower->stacks);
	free(follower->frames);
	free(follower);
}

/* Of a stack that is new here. */
static bool take_stack(struct follower *follower, const struct dwell_relay_stack *from, const struct dwell_frame *frames)
{
	struct dwell_pair *pair = find_stack(follower, from->number), told = from->pair;
	uint32_t room = told.deepest < DWELL_RELAY_THREAD_FRAMES ? told.deepest : DWELL_RELAY_THREAD_FRAMES;

	/* As if it had grown here: what a gap has left open may find room or not. */
	room = room < told.depth ? told.depth : room;
	while (pair && pair->capacity < room) {
		uint32_t capacity = pair->capacity;

		grow_stack(follower, pair);
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

struct follower *make_follower_at(const struct dwell_relay_state *state, const struct dwell_frame *frames)
{
	struct follower *follower = make_follower();
	bool good = follower;

	for (uint32_t i = 0; good && i < state->stack_count; i++)
		good = take_stack(follower, &state->stacks[i], frames);
	if (!good) {
		free_follower(follower);
		return NULL;
	}
	follower->fold.pair = find_stack(follower, state->stack);
	follower->fold.stack = state->stack;
	follower->fold.next_stack = state->next_stack;
	follower->fold.above = state->above;
	follower->fold.unwound = state->unwound != 0;
	follower->fold.changed_stacks = state->changed_stacks != 0;
	follower->fold.cursor = state->cursor;
	dwell_fold_begin(&follower->fold);
	return follower;
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

bool follower_tell(const struct follower *follower, struct dwell_relay_state *state, struct dwell_frame *frames)
{
	bool good, runs = follower->fold.pair == &follower->pair && !follower->fold.stack;

	state->stack_count = state->frame_count = 0;
	good = tell_stack(0, &follower->pair, state, frames);
	for (size_t i = 0; good && i < follower->stacks.count; i++) {
		const struct drain_stack *stack = follower->stacks.list[i];

		good = tell_stack(stack->number, &stack->pair, state, frames);
		runs |= follower->fold.pair == &stack->pair && follower->fold.stack == stack->number;
	}
	state->stack = follower->fold.stack;
	state->next_stack = follower->fold.next_stack;
	state->above = follower->fold.above;
	state->unwound = follower->fold.unwound;
	state->changed_stacks = follower->fold.changed_stacks;
	state->cursor = follower->fold.cursor;
	return good && runs;
}

bool follower_is_valid(const struct follower *follower)
{
	bool valid = dwell_pair_is_valid(&follower->pair);

	for (size_t i = 0; i < follower->stacks.count; i++)
		valid &= dwell_pair_is_valid(&follower->stacks.list[i]->pair);
	return valid;
}

uint32_t follower_depth(struct follower *follower)
{
	const struct dwell_pair *pair = follower->fold.pair;

	if (follower->fold.next_stack != follower->fold.stack && !(pair = find_stack(follower, follower->fold.next_stack)))
		pair = follower->fold.pair;
	return pair->depth + pair->beyond;
}

struct dwell_frame *follower_top(struct follower *follower)
{
	struct dwell_pair *pair = follower->fold.pair;

	return pair->depth && !pair->beyond ? &pair->frames[pair->depth - 1] : NULL;
}

void follower_feed(struct follower *follower, const uint64_t *slots, uint32_t count)
{
	dwell_fold_slots(&follower->fold, slots, count);
}
