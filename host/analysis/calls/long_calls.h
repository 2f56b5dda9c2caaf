/* long_calls: the longest calls of a recording, up to a limit, for the timeline of the page (dwell html). The result depends
 * neither on the order of the calls nor on the number of threads that read.
 *
 * The order is total: of two calls with equal durations, the call that was entered first counts as longer; of equal entries, the
 * call of the lower stream; then the outer call. So a caller counts as longer than its callees, and no call is kept without its
 * callers. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_LONG_CALLS_H
#define DWELL_HOST_ANALYSIS_CALLS_LONG_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

struct long_call {
	uint64_t enter_ticks, total_ticks; /* total: from entry to exit, as drawn, including time in which the
	                                      recorder held the thread up */
	uint32_t stream, function, depth, flags; /* as in struct call */
};

/* Zeroed except for limit: empty. */
struct long_calls {
	struct long_call *calls; /* unsorted; more than limit of them until long_calls_settle */
	size_t count, capacity;
	size_t limit;         /* SIZE_MAX: all */
	uint64_t floor_ticks; /* long_calls_offer drops shorter calls */
	uint64_t offered;     /* number of all calls so far */
	bool has_failed;      /* memory ran out: some calls are missing */
};

/* Internal: appends a call, or sets has_failed. */
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

/* Adds the calls of take_from, which is empty afterwards and keeps its memory. */
void long_calls_merge(struct long_calls *into, struct long_calls *take_from);
/* Drops all calls beyond the limit. The rest stays unsorted. */
void long_calls_settle(struct long_calls *longest);
/* Sorts by thread, then by entry, callers first. get_rank gives the position of a stream's thread. */
void long_calls_sort(struct long_calls *longest, uint32_t (*get_rank)(const void *context, uint32_t stream), const void *context);
void long_calls_clear(struct long_calls *longest);

/* Whether a is longer than b, in the total order described above. */
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
