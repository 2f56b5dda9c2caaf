/* follower: keeps one pairing (core/pair.h) for each stack of a thread, and adds or forgets stacks. */
#include "record/drain/follower.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define FRAMES_AT_FIRST 256u      /* frames of the thread's own stack … */
#define STACK_FRAMES_AT_FIRST 16u /* … and of other stacks */

/* The stack's index in the list, or the index where it belongs. */
static size_t find_index(const struct follower *follower, uint32_t number)
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

/* Forgets the stacks with a last event in the older half of the time span, but never the thread's own or the running one. */
static void forget_oldest(struct follower *follower)
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

/* The pairing of a stack; a new one for a new stack. Null: no memory. */
static struct dwell_pair *find_stack(void *context, uint32_t number)
{
	struct follower *follower = context;
	size_t at = find_index(follower, number);
	struct follower_stack *stack;

	if (at < follower->stack_count && follower->stacks[at]->number == number)
		return &follower->stacks[at]->pair;
	if (follower->stack_count > FOLLOWER_STACKS_MAX)
		forget_oldest(follower);
	if (!array_reserve(&follower->stacks, &follower->stack_capacity, follower->stack_count + 1, sizeof *follower->stacks) ||
		!(stack = make_stack(follower, number)))
		return NULL;
	at = find_index(follower, number);
	memmove(follower->stacks + at + 1, follower->stacks + at, (follower->stack_count - at) * sizeof *follower->stacks);
	follower->stacks[at] = stack;
	follower->stack_count++;
	return &stack->pair;
}

/* Doubles the frames of a stack. Without memory, the pairing counts the frames without room, as part of the depth. */
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
	dwell_fold_init(&follower->fold, own);
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

uint32_t follower_depth(struct follower *follower)
{
	const struct dwell_pair *pair = follower->fold.pair;

	if (follower->fold.next_stack != follower->fold.stack && !(pair = find_stack(follower, follower->fold.next_stack)))
		pair = follower->fold.pair;
	return pair->depth - pair->due + pair->beyond + pair->lost_pushes;
}

uint64_t follower_open_calls(const struct follower *follower)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < follower->stack_count; i++)
		calls += follower->stacks[i]->pair.depth;
	return calls;
}

struct dwell_frame *follower_top_frame(struct follower *follower)
{
	struct dwell_pair *pair = follower->fold.pair;

	return pair->depth && !pair->beyond ? &pair->frames[pair->depth - 1] : NULL;
}

void follower_feed(struct follower *follower, const uint64_t *slots, uint32_t count)
{
	dwell_fold_slots(&follower->fold, slots, count);
}
