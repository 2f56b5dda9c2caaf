/* slowest: keeps the longest calls in a heap (first pass), then finds them again to collect their callees (second pass). */
#include "analysis/calls/slowest.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/calls/slowest_tree.h"
#include "util/array.h"

struct slowest {
	struct pattern *pattern;
	struct slowest_call *calls; /* a heap with the shortest call on top; once settled, sorted, the longest first */
	struct slowest_tree *trees; /* one for each call, once settled */
	size_t count, limit, capacity;
	uint64_t offered, untimed;
	bool by_cpu;
	size_t *order;   /* indexes of calls, by stream, then time of entry, then depth */
	size_t *running; /* calls open at this point of the second pass */
	size_t running_count;
};

struct slowest *make_slowest(struct pattern *pattern, size_t count)
{
	struct slowest *slowest = calloc(1, sizeof *slowest);

	if (slowest)
		*slowest = (struct slowest){.pattern = pattern, .limit = count};
	return slowest;
}

void slowest_rank_by_cpu(struct slowest *slowest)
{
	slowest->by_cpu = true;
}

bool slowest_is_by_cpu(const struct slowest *slowest)
{
	return slowest->by_cpu;
}

void free_slowest(struct slowest *slowest)
{
	if (!slowest)
		return;
	for (size_t i = 0; slowest->trees && i < slowest->count; i++)
		slowest_tree_clear(&slowest->trees[i]);
	free(slowest->calls);
	free(slowest->trees);
	free(slowest->order);
	free(slowest->running);
	free(slowest);
}

/* ---- the first pass ---- */

/* Whether left is slower. Of two equal durations the earlier call counts as slower. */
static bool is_slower(const struct slowest_call *left, const struct slowest_call *right)
{
	const struct call *a = &left->call, *b = &right->call;

	if (left->ranked_ticks != right->ranked_ticks)
		return left->ranked_ticks > right->ranked_ticks;
	if (a->enter_ticks != b->enter_ticks)
		return a->enter_ticks < b->enter_ticks;
	return a->stream != b->stream ? a->stream < b->stream : a->depth < b->depth;
}

/* Restores the order of the heap: rise moves the call at this index up, sink_down moves the top call down. */
static void rise(struct slowest_call *calls, size_t at)
{
	for (size_t above; at && (above = (at - 1) / 2, is_slower(&calls[above], &calls[at])); at = above) {
		struct slowest_call call = calls[at];

		calls[at] = calls[above];
		calls[above] = call;
	}
}

static void sink_down(struct slowest_call *calls, size_t count)
{
	for (size_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
		struct slowest_call call = calls[at];

		if (child + 1 < count && is_slower(&calls[child], &calls[child + 1]))
			child++;
		if (!is_slower(&call, &calls[child]))
			return;
		calls[at] = calls[child];
		calls[child] = call;
	}
}

static uint64_t ranked_ticks(const struct slowest *slowest, const struct call *call)
{
	if (!slowest->by_cpu)
		return call->total_ticks;
	return call->off_cpu_unknown ? 0 : profile_rest(call->total_ticks, profile_off_cpu(&call->total_off));
}

void slowest_offer(struct slowest *slowest, const struct call *call)
{
	struct slowest_call offered;

	if (!pattern_matches(slowest->pattern, call->function))
		return;
	if (call->flags & DWELL_CALL_NO_EXIT) {
		slowest->untimed++;
		return;
	}
	offered = (struct slowest_call){.call = *call, .ranked_ticks = ranked_ticks(slowest, call)};
	offered.call.values = NULL; /* valid only during the call; the second pass copies the values */
	slowest->offered++;
	if (slowest->count == slowest->limit) {
		if (!is_slower(&offered, &slowest->calls[0]))
			return;
		slowest->calls[0] = offered;
		sink_down(slowest->calls, slowest->count);
		return;
	}
	if (!array_reserve(&slowest->calls, &slowest->capacity, slowest->count + 1, sizeof *slowest->calls)) {
		slowest->limit = slowest->count ? slowest->count : 1; /* memory ran out: keep as many calls as there are */
		return;
	}
	slowest->calls[slowest->count] = offered;
	rise(slowest->calls, slowest->count++);
}

uint64_t slowest_untimed(const struct slowest *slowest)
{
	return slowest->untimed;
}

uint64_t slowest_offered(const struct slowest *slowest)
{
	return slowest->offered;
}

static int by_rank(const void *a, const void *b)
{
	return is_slower(a, b) ? -1 : is_slower(b, a);
}

static int by_time(const void *a, const void *b, void *context)
{
	const struct slowest *slowest = context;
	const struct call *left = &slowest->calls[*(const size_t *)a].call, *right = &slowest->calls[*(const size_t *)b].call;

	if (left->stream != right->stream)
		return left->stream < right->stream ? -1 : 1;
	if (left->enter_ticks != right->enter_ticks)
		return left->enter_ticks < right->enter_ticks ? -1 : 1;
	return left->depth < right->depth ? -1 : left->depth > right->depth;
}

bool slowest_settle(struct slowest *slowest)
{
	size_t count = slowest->count ? slowest->count : 1;

	slowest->order = malloc(count * sizeof *slowest->order);
	slowest->running = malloc(count * sizeof *slowest->running);
	slowest->trees = calloc(count, sizeof *slowest->trees);
	if (!slowest->order || !slowest->running || !slowest->trees)
		return false;
	if (!slowest->count)
		return true;
	qsort(slowest->calls, slowest->count, sizeof *slowest->calls, by_rank);
	for (size_t i = 0; i < slowest->count; i++)
		slowest->order[i] = i;
	qsort_r(slowest->order, slowest->count, sizeof *slowest->order, by_time, slowest);
	for (size_t i = 0; i < slowest->count; i++)
		if (!slowest_tree_init(&slowest->trees[i], slowest->count))
			return false;
	return true;
}

size_t slowest_count(const struct slowest *slowest)
{
	return slowest->count;
}

const struct slowest_call *slowest_get(const struct slowest *slowest, size_t rank)
{
	return &slowest->calls[rank];
}

/* ---- the second pass ---- */

static bool is_before(const struct call *a, const struct call *b)
{
	if (a->stream != b->stream)
		return a->stream < b->stream;
	return a->enter_ticks != b->enter_ticks ? a->enter_ticks < b->enter_ticks : a->depth < b->depth;
}

/* Finds the kept call that call is. Returns its index in calls; slowest->count: the call is not kept. */
static size_t find_beginning(const struct slowest *slowest, const struct call *call)
{
	size_t low = 0, high = slowest->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before(&slowest->calls[slowest->order[middle]].call, call))
			low = middle + 1;
		else
			high = middle;
	}
	/* Several kept calls may have begun in the same tick at the same depth: takes the first without a tree. */
	for (; low < slowest->count; low++) {
		const struct slowest_call *found = &slowest->calls[slowest->order[low]];

		if (is_before(call, &found->call))
			break;
		if (!found->has_tree)
			return slowest->order[low];
	}
	return slowest->count;
}

static void remember_callers(struct slowest_call *slow, const struct call *call, const struct model *model)
{
	for (uint32_t depth = call->depth; depth-- > 0 && slow->caller_count < SLOWEST_CALLERS_MAX;)
		slow->callers[slow->caller_count++] = model_get_open(model, call->stream, depth).function;
}

void slowest_enter(struct slowest *slowest, const struct call *call, const struct model *model)
{
	size_t beginning;

	for (size_t i = 0; i < slowest->running_count; i++) {
		const struct call *slow = &slowest->calls[slowest->running[i]].call;

		if (slow->stream == call->stream && call->depth > slow->depth)
			slowest_tree_enter(&slowest->trees[slowest->running[i]], call->depth - slow->depth, call->function);
	}
	beginning = find_beginning(slowest, call);
	if (beginning == slowest->count)
		return;
	slowest->calls[beginning].has_tree = true;
	remember_callers(&slowest->calls[beginning], call, model);
	slowest->running[slowest->running_count++] = beginning;
}

static void take_values(struct slowest_call *slow, const struct call_values *values)
{
	slow->has_values = values;
	if (values)
		slow->values = *values;
}

void slowest_leave(struct slowest *slowest, const struct call *call)
{
	for (size_t i = 0; i < slowest->running_count; i++) {
		size_t rank = slowest->running[i];
		const struct call *slow = &slowest->calls[rank].call;

		if (slow->stream != call->stream)
			continue;
		if (call->depth > slow->depth)
			slowest_tree_leave(&slowest->trees[rank], call->depth - slow->depth, call);
		else if (call->depth == slow->depth) {
			take_values(&slowest->calls[rank], call->values);
			slowest->running[i--] = slowest->running[--slowest->running_count];
		}
	}
}

uint64_t slowest_folded(const struct slowest *slowest, size_t rank)
{
	return slowest->trees[rank].tree.folded_calls;
}

const struct slowest_tree *slowest_get_tree(const struct slowest *slowest, size_t rank)
{
	return &slowest->trees[rank];
}
