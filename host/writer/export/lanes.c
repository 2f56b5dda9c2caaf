/* lanes: distributes overlapping calls over lanes (lanes.h). */
#include "writer/export/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* Returns whether the innermost call of the lane ends before a call of this depth begins.
 * A call without duration may contain calls at the same time. */
static bool is_over(const struct lanes_call *call, uint64_t depth, int64_t begin_ns, int64_t end_ns)
{
	return call->end_ns < begin_ns || (call->end_ns == begin_ns && (call->depth >= depth || end_ns > begin_ns));
}

static void end_last(struct lanes *lanes, struct lane *lane)
{
	lane->count--;
	if (lanes->on_end)
		lanes->on_end(lanes->context, lane, lane->open[lane->count].end_ns);
}

static struct lanes_thread *get_thread(struct lanes *lanes, size_t index)
{
	size_t had = lanes->count;

	if (index >= had) {
		if (!array_reserve(&lanes->threads, &lanes->count, index + 1, sizeof *lanes->threads))
			return NULL;
		memset(lanes->threads + had, 0, (lanes->count - had) * sizeof *lanes->threads);
	}
	return &lanes->threads[index];
}

static struct lane *add_lane(struct lanes_thread *thread)
{
	if (!array_reserve(&thread->lanes, &thread->capacity, thread->count + 1, sizeof *thread->lanes))
		return NULL;
	thread->lanes[thread->count] = (struct lane){0};
	return &thread->lanes[thread->count++];
}

static struct lane *find_lane(struct lanes *lanes, struct lanes_thread *thread, uint64_t depth, int64_t begin_ns, int64_t end_ns)
{
	for (size_t i = 0; i < thread->count; i++) {
		struct lane *lane = &thread->lanes[i];

		while (lane->count && is_over(&lane->open[lane->count - 1], depth, begin_ns, end_ns))
			end_last(lanes, lane);
		if (!lane->count || lane->open[lane->count - 1].end_ns >= end_ns)
			return lane;
	}
	return NULL;
}

/* Chooses the lane for a call. If the thread has too many lanes, chooses the last one and lowers the call's end. */
static struct lane *choose_lane(
	struct lanes *lanes, size_t index, uint64_t depth, int64_t begin_ns, int64_t *end_ns, bool *is_new)
{
	struct lanes_thread *thread = get_thread(lanes, index);
	struct lane *lane = thread ? find_lane(lanes, thread, depth, begin_ns, *end_ns) : NULL;

	*is_new = false;
	if (lane || !thread)
		return lane;
	if (thread->count < LANES_OF_THREAD_MAX) {
		*is_new = true;
		return add_lane(thread);
	}
	lane = &thread->lanes[thread->count - 1];
	*end_ns = lane->open[lane->count - 1].end_ns;
	return lane;
}

struct lane *lanes_enter(struct lanes *lanes, size_t index, uint64_t depth, int64_t begin_ns, int64_t *end_ns, bool *is_new)
{
	struct lane *lane = choose_lane(lanes, index, depth, begin_ns, end_ns, is_new);

	if (!lane || !array_reserve(&lane->open, &lane->capacity, lane->count + 1, sizeof *lane->open))
		return NULL;
	lane->open[lane->count++] = (struct lanes_call){depth, *end_ns};
	return lane;
}

struct lane *lanes_touch(struct lanes *lanes, size_t index, uint64_t depth, int64_t at_ns, bool *is_new)
{
	return choose_lane(lanes, index, depth, at_ns, &at_ns, is_new);
}

void lanes_finish(struct lanes *lanes)
{
	for (size_t i = 0; i < lanes->count; i++)
		for (size_t k = 0; k < lanes->threads[i].count; k++)
			while (lanes->threads[i].lanes[k].count)
				end_last(lanes, &lanes->threads[i].lanes[k]);
}

void lanes_clear(struct lanes *lanes)
{
	for (size_t i = 0; i < lanes->count; i++) {
		for (size_t k = 0; k < lanes->threads[i].count; k++)
			free(lanes->threads[i].lanes[k].open);
		free(lanes->threads[i].lanes);
	}
	free(lanes->threads);
	lanes->threads = NULL;
	lanes->count = 0;
}
