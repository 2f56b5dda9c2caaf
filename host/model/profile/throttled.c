/* throttled: keeps the trace's entries about unrecorded functions, and bounds the functions' unrecorded time. */
#include "model/profile/throttled.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/numbers.h"
#include "util/saturate.h"

static int compare_keys(const struct throttled_entry *entry, uint32_t process, const struct message_throttled *report)
{
	if (entry->process != process)
		return entry->process < process ? -1 : 1;
	if (entry->report.place != report->place)
		return entry->report.place < report->place ? -1 : 1;
	return (entry->report.since_ticks > report->since_ticks) - (entry->report.since_ticks < report->since_ticks);
}

/* Adds an entry in order, or replaces the entry with the same key: a later message has newer numbers. */
static void feed_one(struct throttled *throttled, uint32_t process, const struct message_throttled *report)
{
	size_t low = 0, high = throttled->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_keys(&throttled->entries[middle], process, report) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < throttled->count && !compare_keys(&throttled->entries[low], process, report)) {
		throttled->entries[low].report = *report;
		return;
	}
	if (throttled->count >= THROTTLED_MAX ||
		!array_reserve(&throttled->entries, &throttled->capacity, throttled->count + 1, sizeof *throttled->entries))
		return;
	memmove(throttled->entries + low + 1, throttled->entries + low, (throttled->count - low) * sizeof *throttled->entries);
	throttled->entries[low] = (struct throttled_entry){process, *report};
	throttled->count++;
}

void throttled_feed(struct throttled *throttled, const struct message_throttle *message)
{
	for (uint32_t i = 0; i < message->count; i++)
		feed_one(throttled, message->process, &message->list[i]);
}

void throttled_clear(struct throttled *throttled)
{
	free(throttled->entries);
	*throttled = (struct throttled){0};
}

uint64_t throttled_count_calls(const struct throttled *throttled)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < throttled->count; i++)
		if (throttled->entries[i].report.is_counted)
			saturate_add(&calls, throttled->entries[i].report.calls);
	return calls;
}

static double bound(double ticks)
{
	return ticks < THROTTLED_TICKS_MAX ? ticks : THROTTLED_TICKS_MAX;
}

static int compare_ids(const void *a, const void *b)
{
	const struct throttled_function *left = a, *right = b;

	return (left->id > right->id) - (left->id < right->id);
}

static int compare_calls(const void *a, const void *b)
{
	const struct throttled_function *left = a, *right = b;

	if (left->calls != right->calls)
		return left->calls < right->calls ? 1 : -1;
	return compare_ids(a, b);
}

/* The time for which the function was not recorded. last_ticks: the end of the data. */
static uint64_t find_unrecorded(const struct message_throttled *report, uint64_t last_ticks)
{
	uint64_t until = report->until_ticks && report->until_ticks < last_ticks ? report->until_ticks : last_ticks;

	return until > report->since_ticks ? until - report->since_ticks : 0;
}

/* The part of this time after the last check of the function's calls. */
static uint64_t find_unchecked(const struct message_throttled *report, uint64_t last_ticks)
{
	uint64_t ticks = find_unrecorded(report, last_ticks);

	return report->seen_ticks < ticks ? ticks - report->seen_ticks : 0;
}

/* The time of the last event of any thread. */
static uint64_t find_last(const struct profile *profile)
{
	uint64_t last = 0;

	for (size_t i = 0; i < profile->thread_count; i++)
		if (profile->threads[i].events && !profile->threads[i].is_sums && profile->threads[i].last_ticks > last)
			last = profile->threads[i].last_ticks;
	return last;
}

struct throttled_function *make_throttled_functions(
	const struct throttled *throttled, struct functions *functions, const struct profile *profile, size_t *count)
{
	uint64_t last_ticks = find_last(profile);
	struct throttled_function *list = throttled->count ? calloc(throttled->count, sizeof *list) : NULL;
	size_t used = 0;

	*count = 0;
	for (size_t i = 0; list && i < throttled->count; i++) {
		const struct message_throttled *report = &throttled->entries[i].report;
		const struct place place = {DWELL_PLACE_LOW32, report->place};
		uint32_t id = functions_find(functions, throttled->entries[i].process, place, report->since_ticks);

		if (id != FUNCTION_NONE)
			list[used++] = (struct throttled_function){.id = id,
				.since_ticks = report->since_ticks,
				.calls = report->calls,
				.cut = report->cut,
				.unrecorded_ticks = find_unrecorded(report, last_ticks),
				.unknown_ticks = find_unchecked(report, last_ticks),
				.cost_ticks = bound((double)report->calls * report->call_sixteenths / 16),
				.is_counted = report->is_counted};
	}
	if (!list)
		return NULL;
	qsort(list, used, sizeof *list, compare_ids);
	for (size_t i = 0; i < used; i++) {
		struct throttled_function *sum = *count ? &list[*count - 1] : NULL;

		if (!sum || sum->id != list[i].id) {
			list[(*count)++] = list[i];
			continue;
		}
		saturate_add(&sum->calls, list[i].calls);
		sum->cut += list[i].cut;
		saturate_add(&sum->unrecorded_ticks, list[i].unrecorded_ticks);
		saturate_add(&sum->unknown_ticks, list[i].unknown_ticks);
		sum->cost_ticks = bound(sum->cost_ticks + list[i].cost_ticks);
		sum->is_counted &= list[i].is_counted;
		if (list[i].since_ticks < sum->since_ticks)
			sum->since_ticks = list[i].since_ticks;
	}
	qsort(list, *count, sizeof *list, compare_calls);
	return list;
}

/* An upper bound of the function's unrecorded time: up to the last check, the function's share at the checks, of all threads' time;
 * after the last check, all time. If calls were counted, at most the time of that many short calls. */
static uint64_t find_missing(const struct message_throttled *report, const struct profile *profile, uint64_t last_ticks)
{
	uint64_t open = find_unchecked(report, last_ticks), looked_at = find_unrecorded(report, last_ticks) - open;
	double most = ((double)open + (double)looked_at * report->share / UINT16_MAX) * (double)profile->thread_count;
	double counted = (double)report->calls * report->call_sixteenths / 16 * THROTTLED_SHORT_TIMES;

	return (uint64_t)bound(report->is_counted && counted < most ? counted : most);
}

/* Adds a callee's missing time to self_held, up to the caller's self time. */
static void add_held(struct profile_function *caller, uint64_t missing)
{
	saturate_add(&caller->self_held, missing);
	if (caller->self_held > caller->self)
		caller->self_held = caller->self;
}

static bool mark_callers(struct profile *profile)
{
	const struct tree *tree = &profile->tree;
	struct numbers seen = {0}; /* pairs of caller and function */
	bool good = true;

	for (uint32_t i = 0; good && i < tree->count; i++) {
		const struct tree_node *node = &tree->nodes[i];
		uint32_t caller = node->parent == TREE_NONE ? FUNCTION_NONE : tree->nodes[node->parent].function, *first;
		uint64_t missing = node->function < profile->function_count ? profile->functions[node->function].self_missing : 0;

		if (!missing || caller >= profile->function_count)
			continue;
		first = numbers_put(&seen, (uint64_t)caller << 32 | node->function);
		good = first != NULL;
		if (first && !*first)
			add_held(&profile->functions[caller], missing);
		if (first)
			*first = 1;
	}
	numbers_clear(&seen);
	return good;
}

/* The callers are unknown: adds to all functions. */
static void mark_all(struct profile *profile, uint64_t missing)
{
	for (size_t id = 0; id < profile->function_count; id++)
		add_held(&profile->functions[id], missing);
}

bool throttled_mark(const struct throttled *throttled, struct functions *functions, struct profile *profile, bool has_tree)
{
	uint64_t last_ticks = find_last(profile), all = 0;

	for (size_t i = 0; i < throttled->count; i++) {
		const struct message_throttled *report = &throttled->entries[i].report;
		const struct place place = {DWELL_PLACE_LOW32, report->place};
		uint32_t id = functions_find(functions, throttled->entries[i].process, place, report->since_ticks);
		uint64_t missing = find_missing(report, profile, last_ticks);

		if (id >= profile->function_count)
			continue;
		saturate_add(&profile->functions[id].self_missing, missing);
		saturate_add(&all, missing);
	}
	if (has_tree && !profile->tree.folded_calls)
		return !throttled->count || mark_callers(profile);
	mark_all(profile, all);
	return true;
}
