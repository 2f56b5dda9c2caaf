/* long_calls: the longest of many calls, so many of them, whatever order they come in and from however many threads: the same calls always.
 *
 * Which of two is longer is never open: of the same duration, the one that was entered first counts as longer; then by stream, then the one
 * further outside. So a call is never kept without those around it. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_LONG_CALLS_H
#define DWELL_HOST_ANALYSIS_CALLS_LONG_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

struct long_call {
	uint64_t enter_ticks, total_ticks; /* from enter to exit, as it is drawn: also while the recorder held the thread up */
	uint32_t stream, function, depth, flags; /* as of a call */
};

/* Zeroed but for its limit: empty. */
struct long_calls {
	struct long_call *calls; /* in no order: more than the limit until long_calls_settle */
	size_t count, capacity;
	size_t limit;         /* SIZE_MAX: all */
	uint64_t floor_ticks; /* shorter ones are not kept */
	uint64_t offered;
	bool has_failed;      /* there was no memory: some are missing */
};

/* Room for one more, or not. Internal. */
void long_calls_add(struct long_calls *longest, const struct long_call *call);

static inline void long_calls_offer(struct long_calls *longest, const struct call *call)
{
	uint64_t total_ticks = call->exit_ticks - call->enter_ticks;

	longest->offered++;
	if (total_ticks < longest->floor_ticks)
		return;
	long_calls_add(longest, &(struct long_call){
		call->enter_ticks, total_ticks, call->stream, call->function, call->depth, call->flags});
}

/* Adds those of from, which is empty then and keeps its memory. */
void long_calls_merge(struct long_calls *into, struct long_calls *take_from);
/* Down to the limit; in no order. */
void long_calls_settle(struct long_calls *longest);
/* By which thread (rank of its stream), then as they were entered, callers first. */
void long_calls_sort(struct long_calls *longest, uint32_t (*get_rank)(const void *context, uint32_t stream), const void *context);
void long_calls_clear(struct long_calls *longest);

/* Whether a is longer than b, as above. */
static inline bool long_call_is_longer(const struct long_call *a, const struct long_call *b)
{
	if (a->total_ticks != b->total_ticks)
		return a->total_ticks > b->total_ticks;
	if (a->enter_ticks != b->enter_ticks)
		return a->enter_ticks < b->enter_ticks;
	if (a->stream != b->stream)
		return a->stream < b->stream;
	return a->depth != b->depth ? a->depth < b->depth : a->function < b->function;
}

#endif
