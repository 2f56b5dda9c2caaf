/* follower: see follower.h. */
#include "record/drain/follower.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define FRAMES_AT_FIRST 256u      /* of the thread's own stack … */
#define STACK_FRAMES_AT_FIRST 16u /* … and of others */

/* Where in the list it is, or would be. */
static size_t find_place(const struct follower *follower, uint32_t number)
{
	size_t low = 0, high = follower->stack_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (follower->stacks[middle]->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void free_stack(struct follower_stack *stack)
{
	if (stack)
		free(stack->frames);
	free(stack);
}

static struct follower_stack *make_stack(const struct follower *follower, uint32_t number)
{
	struct follower_stack *stack = calloc(1, sizeof *stack);
	uint32_t frames = number ? STACK_FRAMES_AT_FIRST : FRAMES_AT_FIRST;

	if (stack)
		stack->frames = malloc(frames * sizeof *stack->frames);
	if (!stack || !stack->frames) {
		free_stack(stack);
		return NULL;
	}
	stack->number = number;
	dwell_pair_init(&stack->pair, stack->frames, frames);
	stack->pair.is_copy = follower->is_copy;
	stack->pair.without_held = follower->without_held;
	return stack;
}

/* Not the thread's own. */
static void forget_some(struct follower *follower)
{
	uint64_t low = UINT64_MAX, high = 0;
	size_t kept = 1;

	for (size_t i = 1; i < follower->stack_count; i++) {
		uint64_t ticks = follower->stacks[i]->pair.last_ticks;

		low = ticks < low ? ticks : low;
		high = ticks > high ? ticks : high;
	}
	for (size_t i = 1; i < follower->stack_count; i++) {
		struct follower_stack *stack = follower->stacks[i];

		if (&stack->pair == follower->fold.pair || stack->pair.last_ticks - low > (high - low) / 2) {
			follower->stacks[kept++] = stack;
			continue;
		}
		if (follower->on_forget)
			follower->on_forget(follower->context, &stack->pair);
		free_stack(stack);
	}
	follower->stack_count = kept;
}

/* Its pairing, begun when it is new; null: no memory. */
static struct dwell_pair *find_stack(void *context, uint32_t number)
{
	struct follower *follower = context;
	size_t at = find_place(follower, number);
	struct follower_stack *stack;

	if (at < follower->stack_count && follower->stacks[at]->number == number)
		return &follower->stacks[at]->pair;
	if (follower->stack_count > FOLLOWER_STACKS_MAX)
		forget_some(follower);
	if (!array_reserve(&follower->stacks, &follower->stack_capacity, follower->stack_count + 1, sizeof *follower->stacks) ||
		!(stack = make_stack(follower, number)))
		return NULL;
	at = find_place(follower, number);
	memmove(follower->stacks + at + 1, follower->stacks + at, (follower->stack_count - at) * sizeof *follower->stacks);
	follower->stacks[at] = stack;
	follower->stack_count++;
	return &stack->pair;
}

/* Frames that find no room are counted by the pairing, and are deep all the same. */
static void grow_stack(void *context, struct dwell_pair *pair)
{
	struct follower_stack *stack = (struct follower_stack *)((unsigned char *)pair - offsetof(struct follower_stack, pair));
	uint64_t capacity = (uint64_t)pair->capacity * 2;
	struct dwell_frame *frames = capacity > UINT32_MAX ? NULL : realloc(stack->frames, capacity * sizeof *frames);

	(void)context;
	if (!frames)
		return;
	stack->frames = frames;
	dwell_pair_grow(pair, frames, (uint32_t)capacity);
}

static struct dwell_pair *get_stack(void *context, uint32_t index)
{
	const struct follower *follower = context;

	return index < follower->stack_count ? &follower->stacks[index]->pair : NULL;
}

struct follower *make_follower(void)
{
	struct follower *follower = calloc(1, sizeof *follower);
	struct dwell_pair *own = follower ? find_stack(follower, 0) : NULL;

	if (!own) {
		free_follower(follower);
		return NULL;
	}
	dwell_fold_init(&follower->fold, own, NULL);
	follower->callbacks = (struct dwell_fold_stacks){follower, find_stack, grow_stack, get_stack};
	dwell_fold_set_stacks(&follower->fold, &follower->callbacks);
	return follower;
}

void follower_set_copy(struct follower *follower)
{
	follower->is_copy = follower->stacks[0]->pair.is_copy = true;
}

void follower_set_without_held(struct follower *follower)
{
	follower->without_held = true;
	for (size_t i = 0; i < follower->stack_count; i++)
		follower->stacks[i]->pair.without_held = true;
}

void free_follower(struct follower *follower)
{
	for (size_t i = 0; follower && i < follower->stack_count; i++)
		free_stack(follower->stacks[i]);
	if (follower)
		free(follower->stacks);
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
	bool good = true, runs = false;

	state->stack_count = state->frame_count = 0;
	for (size_t i = 0; good && i < follower->stack_count; i++) {
		const struct follower_stack *stack = follower->stacks[i];

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
	bool valid = true;

	for (size_t i = 0; i < follower->stack_count; i++)
		valid &= dwell_pair_is_valid(&follower->stacks[i]->pair);
	return valid;
}

uint32_t follower_depth(struct follower *follower)
{
	const struct dwell_pair *pair = follower->fold.pair;

	if (follower->fold.next_stack != follower->fold.stack && !(pair = find_stack(follower, follower->fold.next_stack)))
		pair = follower->fold.pair;
	return pair->depth + pair->beyond;
}

uint64_t follower_open_calls(const struct follower *follower)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < follower->stack_count; i++)
		calls += follower->stacks[i]->pair.depth;
	return calls;
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
