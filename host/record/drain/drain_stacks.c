#include "record/drain/drain_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define FRAMES_AT_FIRST 16u

static size_t find_place(const struct drain_stacks *stacks, uint32_t number)
{
	size_t low = 0, high = stacks->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stacks->list[middle]->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void free_stack(struct drain_stack *stack)
{
	if (stack)
		free(stack->frames);
	free(stack);
}

static struct drain_stack *make_stack(uint32_t number)
{
	struct drain_stack *stack = calloc(1, sizeof *stack);

	if (stack)
		stack->frames = malloc(FRAMES_AT_FIRST * sizeof *stack->frames);
	if (!stack || !stack->frames) {
		free_stack(stack);
		return NULL;
	}
	stack->number = number;
	dwell_pair_init(&stack->pair, stack->frames, FRAMES_AT_FIRST);
	return stack;
}

static void forget_some(struct drain_stacks *stacks, const struct dwell_pair *running)
{
	uint64_t low = UINT64_MAX, high = 0;
	size_t kept = 0;

	for (size_t i = 0; i < stacks->count; i++) {
		uint64_t ticks = stacks->list[i]->pair.last_ticks;

		low = ticks < low ? ticks : low;
		high = ticks > high ? ticks : high;
	}
	for (size_t i = 0; i < stacks->count; i++) {
		struct drain_stack *stack = stacks->list[i];

		if (&stack->pair == running || stack->pair.last_ticks - low > (high - low) / 2) {
			stacks->list[kept++] = stack;
			continue;
		}
		if (stacks->on_forget)
			stacks->on_forget(stacks->context, &stack->pair);
		free_stack(stack);
	}
	stacks->count = kept;
}

struct dwell_pair *drain_stacks_find(struct drain_stacks *stacks, uint32_t number, const struct dwell_pair *running)
{
	size_t at = find_place(stacks, number);
	struct drain_stack *stack;

	if (at < stacks->count && stacks->list[at]->number == number)
		return &stacks->list[at]->pair;
	if (stacks->count >= DRAIN_STACKS_MAX)
		forget_some(stacks, running);
	if (!array_reserve(&stacks->list, &stacks->capacity, stacks->count + 1, sizeof *stacks->list) || !(stack = make_stack(number)))
		return NULL;
	at = find_place(stacks, number);
	memmove(stacks->list + at + 1, stacks->list + at, (stacks->count - at) * sizeof *stacks->list);
	stack->pair.is_copy = stacks->is_copy;
	stack->pair.without_held = stacks->without_held;
	stacks->list[at] = stack;
	stacks->count++;
	return &stack->pair;
}

void drain_stacks_grow(struct dwell_pair *pair)
{
	struct drain_stack *stack = (struct drain_stack *)((unsigned char *)pair - offsetof(struct drain_stack, pair));
	uint64_t capacity = (uint64_t)pair->capacity * 2;
	struct dwell_frame *frames;

	if (capacity > UINT32_MAX)
		return;
	frames = realloc(stack->frames, capacity * sizeof *frames);
	if (!frames)
		return;
	stack->frames = frames;
	dwell_pair_grow(pair, frames, (uint32_t)capacity);
}

struct dwell_pair *drain_stacks_get(const struct drain_stacks *stacks, uint32_t index)
{
	return index < stacks->count ? &stacks->list[index]->pair : NULL;
}

uint64_t drain_stacks_depth(const struct drain_stacks *stacks)
{
	uint64_t depth = 0;

	for (size_t i = 0; i < stacks->count; i++)
		depth += stacks->list[i]->pair.depth;
	return depth;
}

void drain_stacks_clear(struct drain_stacks *stacks)
{
	for (size_t i = 0; i < stacks->count; i++)
		free_stack(stacks->list[i]);
	free(stacks->list);
	*stacks = (struct drain_stacks){0};
}
