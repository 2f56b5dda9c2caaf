/* long_calls: keeps up to twice the limit of calls, and selects the longest of them now and then. */
#include "analysis/calls/long_calls.h"

#include <stdlib.h>

#include "util/array.h"

static void swap(struct long_call *a, struct long_call *b)
{
	struct long_call kept = *a;

	*a = *b;
	*b = kept;
}

/* Hoare's selection: moves the kept longest calls to calls[0 … kept). The pivot is pseudo-random, so no order of calls is slow. */
static void select_longest(struct long_call *calls, size_t count, size_t kept)
{
	size_t low = 0, high = count - 1;
	uint64_t random = 1;

	while (low < high) {
		size_t i = low, j = high;
		struct long_call pivot;

		random = random * 6364136223846793005u + 1442695040888963407u;
		pivot = calls[low + (random >> 33) % (high - low + 1)];
		for (;;) {
			while (long_call_is_longer(&calls[i], &pivot))
				i++;
			while (long_call_is_longer(&pivot, &calls[j]))
				j--;
			if (i < j)
				swap(&calls[i], &calls[j]);
			if (i <= j) {
				i++;
				if (!j--)
					break;
			}
			if (i > j)
				break;
		}
		/* No call up to j is shorter than the pivot, and no call from i on is longer. */
		if (j != SIZE_MAX && kept <= j)
			high = j;
		else if (kept >= i)
			low = i;
		else
			return;
	}
}

void long_calls_settle(struct long_calls *longest)
{
	uint64_t floor = UINT64_MAX;

	if (longest->count <= longest->limit)
		return;
	select_longest(longest->calls, longest->count, longest->limit);
	longest->count = longest->limit;
	for (size_t i = 0; i < longest->count; i++)
		if (longest->calls[i].total_ticks < floor)
			floor = longest->calls[i].total_ticks;
	longest->floor_ticks = floor;
}

void long_calls_add(struct long_calls *longest, const struct long_call *call)
{
	if (!array_reserve(&longest->calls, &longest->capacity, longest->count + 1, sizeof *longest->calls)) {
		longest->has_failed = true;
		return;
	}
	longest->calls[longest->count++] = *call;
	if (longest->limit < SIZE_MAX / 2 && longest->count >= 2 * longest->limit + 1)
		long_calls_settle(longest);
}

void long_calls_merge(struct long_calls *into, struct long_calls *take_from)
{
	into->offered += take_from->offered;
	into->has_failed |= take_from->has_failed;
	for (size_t i = 0; i < take_from->count; i++)
		if (take_from->calls[i].total_ticks >= into->floor_ticks)
			long_calls_add(into, &take_from->calls[i]);
	take_from->count = take_from->offered = 0;
	take_from->has_failed = false;
}

struct order {
	uint32_t (*get_rank)(const void *context, uint32_t stream);
	const void *context;
};

static int by_entry(const void *left, const void *right, void *context)
{
	const struct order *order = context;
	const struct long_call *a = left, *b = right;

	if (a->stream != b->stream) {
		uint32_t mine = order->get_rank(order->context, a->stream), theirs = order->get_rank(order->context, b->stream);

		if (mine != theirs)
			return mine < theirs ? -1 : 1;
		return a->stream < b->stream ? -1 : 1;
	}
	if (a->enter_ticks != b->enter_ticks)
		return a->enter_ticks < b->enter_ticks ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return long_call_is_longer(a, b) ? -1 : long_call_is_longer(b, a);
}

void long_calls_sort(struct long_calls *longest, uint32_t (*get_rank)(const void *context, uint32_t stream), const void *context)
{
	struct order order = {get_rank, context};

	if (longest->count)
		qsort_r(longest->calls, longest->count, sizeof *longest->calls, by_entry, &order);
}

void long_calls_clear(struct long_calls *longest)
{
	free(longest->calls);
	longest->calls = NULL;
	longest->count = longest->capacity = 0;
}
