/* off_cpu_times: keeps intervals, and adds up short ones by slice when there are too many. */
#include "analysis/calls/off_cpu_times.h"

#include <stdlib.h>

#include "util/array.h"

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_stream(const void *left, const void *right)
{
	const struct off_cpu_slice *a = left, *b = right;

	return a->stream != b->stream ? compare(a->stream, b->stream) : compare(a->begin_ticks, b->begin_ticks);
}

static void add(struct off_cpu_slice *to, const struct off_cpu_slice *more)
{
	to->end_ticks = more->end_ticks > to->end_ticks ? more->end_ticks : to->end_ticks;
	for (int kind = 0; kind <= OFF_CPU_UNKNOWN; kind++)
		to->ticks[kind] += more->ticks[kind];
}

/* Whether both intervals lie in the same slice and are shorter than a slice. A sum over shorter slices lies
 * in a single longer slice. */
static bool is_same_slice(const struct off_cpu_times *times, const struct off_cpu_slice *a, const struct off_cpu_slice *b)
{
	return a->stream == b->stream && a->begin_ticks >> times->shift == b->begin_ticks >> times->shift &&
	       !((a->end_ticks - a->begin_ticks) >> times->shift) && !((b->end_ticks - b->begin_ticks) >> times->shift);
}

/* Makes slices longer until there are few enough intervals; with very many threads, down to one interval for each thread. The next
 * round is due at twice as many intervals, so rounds are rare. */
static void coarsen(struct off_cpu_times *times)
{
	if (times->count)
		qsort(times->times, times->count, sizeof *times->times, by_stream);
	for (;;) {
		size_t kept = 0;

		for (size_t i = 0; i < times->count; i++)
			if (times->shift && kept && is_same_slice(times, &times->times[kept - 1], &times->times[i]))
				add(&times->times[kept - 1], &times->times[i]);
			else
				times->times[kept++] = times->times[i];
		times->count = kept;
		if (kept <= OFF_CPU_TIMES_MAX || times->shift == 62)
			break;
		times->shift++;
	}
	times->due = 2 * (times->count > OFF_CPU_TIMES_MAX ? times->count : (size_t)OFF_CPU_TIMES_MAX);
}

static void put(struct off_cpu_times *times, const struct off_cpu_slice *time)
{
	if (times->count >= (times->due ? times->due : 2 * (size_t)OFF_CPU_TIMES_MAX))
		coarsen(times);
	if (!array_reserve(&times->times, &times->capacity, times->count + 1, sizeof *times->times)) {
		times->has_failed = true;
		return;
	}
	times->times[times->count++] = *time;
}

void off_cpu_times_add(
	struct off_cpu_times *times, uint32_t stream, uint64_t begin_ticks, uint64_t end_ticks, enum off_cpu_kind kind)
{
	struct off_cpu_slice time = {.begin_ticks = begin_ticks, .end_ticks = end_ticks, .stream = stream};

	time.ticks[kind] = end_ticks - begin_ticks;
	put(times, &time);
}

void off_cpu_times_merge(struct off_cpu_times *into, struct off_cpu_times *take_from)
{
	into->has_failed |= take_from->has_failed;
	if (into->shift < take_from->shift)
		into->shift = take_from->shift;
	for (size_t i = 0; i < take_from->count; i++)
		put(into, &take_from->times[i]);
	off_cpu_times_empty(take_from);
}

/* Whether b continues a: adjacent intervals of a thread, both entirely of the same kind. */
static bool continues(const struct off_cpu_slice *a, const struct off_cpu_slice *b)
{
	bool is_of_one = false;

	for (int kind = 0; kind <= OFF_CPU_UNKNOWN; kind++)
		is_of_one |= a->ticks[kind] == a->end_ticks - a->begin_ticks && b->ticks[kind] == b->end_ticks - b->begin_ticks;
	return a->stream == b->stream && a->end_ticks == b->begin_ticks && is_of_one;
}

void off_cpu_times_finish(struct off_cpu_times *times)
{
	size_t kept = 0;

	coarsen(times);
	for (size_t i = 0; i < times->count; i++)
		if (kept && continues(&times->times[kept - 1], &times->times[i]))
			add(&times->times[kept - 1], &times->times[i]);
		else
			times->times[kept++] = times->times[i];
	times->count = kept;
}

void off_cpu_times_empty(struct off_cpu_times *times)
{
	times->count = times->due = times->shift = 0;
	times->has_failed = false;
}

void off_cpu_times_clear(struct off_cpu_times *times)
{
	free(times->times);
	*times = (struct off_cpu_times){0};
}
