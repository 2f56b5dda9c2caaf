/* depth: see depth.h. */
#include "record/depth.h"

#include <stdlib.h>

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

struct depth *make_depth(void)
{
	struct depth *depth = calloc(1, sizeof *depth);

	if (!depth || !(depth->frames = malloc(FRAMES_AT_FIRST * sizeof *depth->frames))) {
		free(depth);
		return NULL;
	}
	dwell_pair_init(&depth->pair, depth->frames, FRAMES_AT_FIRST);
	dwell_fold_init(&depth->fold, &depth->pair, NULL);
	depth->callbacks = (struct dwell_fold_stacks){depth, find_stack, grow_stack};
	dwell_fold_set_stacks(&depth->fold, &depth->callbacks);
	return depth;
}

void free_depth(struct depth *depth)
{
	if (!depth)
		return;
	drain_stacks_clear(&depth->stacks);
	free(depth->frames);
	free(depth);
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
