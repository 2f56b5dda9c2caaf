#include "query/parallel/harvest.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "util/array.h"

struct row {
	struct call call;
	uint32_t rank;   /* of its stream */
	uint32_t number; /* as they were left */
};

struct harvest {
	const struct call_filter *filter;
	const char *function;
	const struct clock_map *clock;
	struct functions *functions;
	size_t calls_max;
	atomic_size_t held; /* calls, in all crops */
	atomic_bool failed;
	struct crop *crop;
	struct row *rows;
	size_t count, capacity;
};

struct harvest *make_harvest(const struct call_filter *filter, const char *function, size_t calls_max)
{
	struct harvest *harvest = calloc(1, sizeof *harvest);

	if (!harvest)
		return NULL;
	harvest->filter = filter;
	harvest->function = function;
	harvest->calls_max = calls_max;
	harvest->crop = make_crop(harvest);
	if (harvest->crop)
		return harvest;
	free(harvest);
	return NULL;
}

void free_harvest(struct harvest *harvest)
{
	if (!harvest)
		return;
	free_crop(harvest->crop);
	free(harvest->rows);
	free(harvest);
}

struct crop *harvest_get_crop(struct harvest *harvest)
{
	return harvest->crop;
}

void harvest_begin(struct harvest *harvest, const struct model *model)
{
	harvest->clock = model_get_clock(model);
	harvest->functions = model_get_functions(model);
}

void harvest_drop(struct harvest *harvest, struct crop *crop)
{
	atomic_fetch_sub(&harvest->held, crop->count);
	crop_empty(crop);
}

/* ---- taking ---- */

static bool is_meant(struct harvest *harvest, struct crop *crop, uint32_t function)
{
	if (!harvest->function)
		return true;
	if (!crop->pattern)
		crop->pattern = make_pattern(harvest->function, harvest->functions);
	if (crop->pattern)
		return pattern_matches(crop->pattern, function);
	harvest->failed = true;
	return false;
}

void harvest_take(void *context, const struct call *call)
{
	struct crop *crop = context;
	struct harvest *harvest = crop->owner;

	if (!call_filter_takes(harvest->filter, harvest->clock, call) || !is_meant(harvest, crop, call->function))
		return;
	if (atomic_fetch_add(&harvest->held, 1) >= harvest->calls_max || !crop_add(crop, call)) {
		atomic_fetch_sub(&harvest->held, 1);
		harvest->failed = true;
	}
}

void harvest_keep(struct harvest *harvest, struct crop *crop)
{
	if (!array_reserve(&harvest->rows, &harvest->capacity, harvest->count + crop->count, sizeof *harvest->rows)) {
		harvest->failed = true;
		return;
	}
	for (size_t i = 0; i < crop->count; i++) {
		harvest->rows[harvest->count] = (struct row){crop->calls[i].call, 0, (uint32_t)harvest->count};
		harvest->count++;
	}
	crop_empty(crop); /* they are still held */
}

bool harvest_has_failed(const struct harvest *harvest)
{
	return harvest->failed;
}

void harvest_renumber(struct harvest *harvest, const uint32_t *map, size_t count)
{
	free_pattern(harvest->crop->pattern); /* it knows the old ones */
	harvest->crop->pattern = NULL;
	for (size_t i = 0; i < harvest->count; i++)
		if (harvest->rows[i].call.function < count)
			harvest->rows[i].call.function = map[harvest->rows[i].call.function];
}

/* ---- order ---- */

/* By time, then by stream; calls without entry first. */
static int compare_moments(const struct row *a, const struct row *b)
{
	if (a->call.enter_ticks != b->call.enter_ticks)
		return a->call.enter_ticks < b->call.enter_ticks ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return !b->call.tag - !a->call.tag;
}

static int compare_numbers(const struct row *a, const struct row *b)
{
	return a->number < b->number ? -1 : a->number > b->number;
}

static int as_left(const void *left, const void *right)
{
	int moments = compare_moments(left, right);

	return moments ? moments : compare_numbers(left, right);
}

/* Of two that began at the same moment, and one was left first: when it was deeper it is in the other, for it took time, and the other
 * would have begun later. Calls without entry are charged from the same moment, the innermost was left first. */
static int as_entered(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	int moments = compare_moments(a, b), number = compare_numbers(a, b);

	if (moments)
		return moments;
	if (!a->call.tag)
		return -number;
	if (number > 0)
		return b->call.depth > a->call.depth ? -1 : 1;
	return number && a->call.depth <= b->call.depth ? -1 : number ? 1 : 0;
}

static void sort(struct harvest *harvest, int (*compare)(const void *, const void *))
{
	if (harvest->count)
		qsort(harvest->rows, harvest->count, sizeof *harvest->rows, compare);
}

/* Whether a call that took no time began with one that is open, further outside: it may be in that, or not. */
static bool touches_open(const struct model *model, const struct call *call)
{
	for (uint32_t i = model_open_count(model, call->stream); i--;) {
		struct call open = model_get_open(model, call->stream, i);

		if (open.enter_ticks < call->enter_ticks)
			return false;
		if (open.enter_ticks == call->enter_ticks && i < call->depth)
			return true;
	}
	return false;
}

/* One that took no time might be in a call that was left later, or be over before that began. */
static bool can_be_told(const struct harvest *harvest, const struct model *model)
{
	uint32_t deepest = 0; /* of those that took no time, of the same moment */

	for (size_t i = 0; i < harvest->count; i++) {
		const struct row *row = &harvest->rows[i];

		if (!i || compare_moments(row - 1, row))
			deepest = 0;
		if (!row->call.tag)
			continue;
		if (row->call.depth < deepest || (!row->call.total_ticks && touches_open(model, &row->call)))
			return false;
		if (!row->call.total_ticks && row->call.depth > deepest)
			deepest = row->call.depth;
	}
	return true;
}

bool harvest_can_finish(struct harvest *harvest, const struct model *model)
{
	size_t open = 0;

	for (uint32_t i = 0; i < model_thread_count(model); i++)
		open += model_open_count(model, model_get_thread(model, i).stream);
	if (harvest->failed || harvest->held + open > harvest->calls_max || functions_are_unsettled(harvest->functions))
		return false;
	for (size_t i = 0; i < harvest->count; i++)
		harvest->rows[i].rank = harvest->rows[i].call.stream;
	sort(harvest, as_left);
	return can_be_told(harvest, model);
}

void harvest_sort(struct harvest *harvest, uint32_t (*get_rank)(const void *context, uint32_t stream), const void *context)
{
	for (size_t i = 0; i < harvest->count; i++)
		harvest->rows[i].rank = get_rank(context, harvest->rows[i].call.stream);
	sort(harvest, as_entered);
}

size_t harvest_count(const struct harvest *harvest)
{
	return harvest->count;
}

const struct call *harvest_get(const struct harvest *harvest, size_t index)
{
	return &harvest->rows[index].call;
}
