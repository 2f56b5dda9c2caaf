/* throttled: see throttled.h. */
#include "model/profile/throttled.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

static int compare_keys(const struct throttled_entry *entry, uint32_t process, const struct message_throttled *told)
{
	if (entry->process != process)
		return entry->process < process ? -1 : 1;
	if (entry->told.place != told->place)
		return entry->told.place < told->place ? -1 : 1;
	return (entry->told.since_ticks > told->since_ticks) - (entry->told.since_ticks < told->since_ticks);
}

static void feed_one(struct throttled *throttled, uint32_t process, const struct message_throttled *told)
{
	size_t low = 0, high = throttled->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_keys(&throttled->entries[middle], process, told) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < throttled->count && !compare_keys(&throttled->entries[low], process, told)) {
		throttled->entries[low].told = *told;
		return;
	}
	if (throttled->count >= THROTTLED_MAX ||
		!array_reserve(&throttled->entries, &throttled->capacity, throttled->count + 1, sizeof *throttled->entries))
		return;
	memmove(throttled->entries + low + 1, throttled->entries + low, (throttled->count - low) * sizeof *throttled->entries);
	throttled->entries[low] = (struct throttled_entry){process, *told};
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

static uint64_t add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t throttled_count_calls(const struct throttled *throttled)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < throttled->count; i++)
		if (throttled->entries[i].told.is_counted)
			calls = add(calls, throttled->entries[i].told.calls);
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

struct throttled_function *make_throttled_functions(const struct throttled *throttled, struct functions *functions, size_t *count)
{
	struct throttled_function *list = throttled->count ? calloc(throttled->count, sizeof *list) : NULL;
	size_t used = 0;

	*count = 0;
	for (size_t i = 0; list && i < throttled->count; i++) {
		const struct message_throttled *told = &throttled->entries[i].told;
		const struct place place = {DWELL_PLACE_LOW32, told->place};
		uint32_t id = functions_find(functions, throttled->entries[i].process, place, told->since_ticks);

		if (id != FUNCTION_NONE)
			list[used++] = (struct throttled_function){.id = id,
				.since_ticks = told->since_ticks,
				.calls = told->calls,
				.cut = told->cut,
				.cost_ticks = bound((double)told->calls * told->call_sixteenths / 16),
				.is_counted = told->is_counted};
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
		sum->calls = add(sum->calls, list[i].calls);
		sum->cut += list[i].cut;
		sum->cost_ticks = bound(sum->cost_ticks + list[i].cost_ticks);
		sum->is_counted &= list[i].is_counted;
		if (list[i].since_ticks < sum->since_ticks)
			sum->since_ticks = list[i].since_ticks;
	}
	qsort(list, *count, sizeof *list, compare_calls);
	return list;
}
