/* counterpart: sorts the functions of a recording by address and by name, to find those of another recording. */
#include "analysis/counterpart.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/diff/match.h"
#include "analysis/diff/match_key.h"
#include "util/array.h"

static void clear_counterpart(struct counterpart *one)
{
	free(one->file);
	free(one->name);
	free(one->normal);
}

/* False: memory ran out; clear_counterpart in either case. */
static bool make_counterpart(struct counterpart *one, struct functions *functions, uint32_t id)
{
	struct match_key key;
	bool good = match_key_make(&key, functions, id, false);

	free(key.longer);
	*one = (struct counterpart){.file = key.file,
		.name = key.name,
		.nameless = key.nameless,
		.build = key.build,
		.address = key.address,
		.id = id};
	one->normal = good ? make_match_normal(one->name) : NULL;
	return one->normal;
}

bool counterparts_add(struct counterparts *counterparts, struct functions *functions, uint32_t id)
{
	if (!array_reserve(&counterparts->list, &counterparts->capacity, counterparts->count + 1, sizeof *counterparts->list))
		return false;
	return make_counterpart(&counterparts->list[counterparts->count++], functions, id);
}

static int order_by_address(const struct counterpart *a, const struct counterpart *b)
{
	int order = compare_match_numbers(a->address, b->address);

	if (!order)
		order = compare_match_numbers(a->build, b->build);
	return order ? order : strcmp(a->file, b->file);
}

static int order_by_name(const struct counterpart *a, const struct counterpart *b)
{
	int order = strcmp(a->normal, b->normal);

	return order ? order : strcmp(a->file, b->file);
}

static int by_address(const void *a, const void *b)
{
	return order_by_address(*(const struct counterpart *const *)a, *(const struct counterpart *const *)b);
}

/* Of equal names, a name without a suffix comes first. */
static int by_name(const void *a, const void *b)
{
	const struct counterpart *x = *(const struct counterpart *const *)a, *y = *(const struct counterpart *const *)b;
	int order = order_by_name(x, y);

	if (!order)
		order = compare_match_numbers(strlen(x->name), strlen(y->name));
	return order ? order : compare_match_numbers(x->id, y->id);
}

bool counterparts_finish(struct counterparts *counterparts)
{
	size_t bytes = (counterparts->count + 1) * sizeof *counterparts->by_address;

	counterparts->by_address = malloc(bytes);
	counterparts->by_name = malloc(bytes);
	if (!counterparts->by_address || !counterparts->by_name)
		return false;
	for (size_t i = 0; i < counterparts->count; i++)
		counterparts->by_address[i] = counterparts->by_name[i] = &counterparts->list[i];
	qsort(counterparts->by_address, counterparts->count, sizeof *counterparts->by_address, by_address);
	qsort(counterparts->by_name, counterparts->count, sizeof *counterparts->by_name, by_name);
	return true;
}

/* The index of the first entry of the sorted list that equals wanted; count: no entry does. */
static size_t find(const struct counterpart **list, size_t count, const struct counterpart *wanted,
	int (*order)(const struct counterpart *a, const struct counterpart *b))
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (order(list[middle], wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && !order(list[low], wanted) ? low : count;
}

static const struct counterpart *find_address(const struct counterparts *counterparts, const struct counterpart *wanted)
{
	size_t at = find(counterparts->by_address, counterparts->count, wanted, order_by_address);

	return at < counterparts->count ? counterparts->by_address[at] : NULL;
}

/* Prefers an entry with the same suffix. */
static const struct counterpart *find_name(const struct counterparts *counterparts, const struct counterpart *wanted)
{
	size_t first = find(counterparts->by_name, counterparts->count, wanted, order_by_name);

	for (size_t i = first; i < counterparts->count && !order_by_name(counterparts->by_name[i], wanted); i++)
		if (!strcmp(counterparts->by_name[i]->name, wanted->name))
			return counterparts->by_name[i];
	return first < counterparts->count ? counterparts->by_name[first] : NULL;
}

bool counterparts_find(const struct counterparts *counterparts, struct functions *functions, uint32_t id, uint32_t *found)
{
	struct counterpart wanted;
	const struct counterpart *one = NULL;
	bool good = make_counterpart(&wanted, functions, id);

	if (good && wanted.build)
		one = find_address(counterparts, &wanted);
	if (good && !one && !(wanted.build && wanted.nameless))
		one = find_name(counterparts, &wanted);
	clear_counterpart(&wanted);
	*found = one ? one->id : FUNCTION_NONE;
	return good;
}

void counterparts_clear(struct counterparts *counterparts)
{
	for (size_t i = 0; i < counterparts->count; i++)
		clear_counterpart(&counterparts->list[i]);
	free(counterparts->list);
	free(counterparts->by_address);
	free(counterparts->by_name);
	*counterparts = (struct counterparts){0};
}
