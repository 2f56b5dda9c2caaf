#include "query/parallel/selection.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "util/array.h"

/* A call of a joined part, or a call outside of parts. */
struct row {
	struct call call;
	uint32_t rank;   /* of its stream */
	uint32_t number; /* position in order of exit */
};

struct selection {
	const struct call_filter *filter;
	const char *function;
	const struct clock_map *clock;
	struct functions *functions;
	size_t calls_max;
	atomic_size_t held; /* number of calls in all part_calls */
	atomic_bool failed;
	struct part_calls *part_calls; /* calls outside of parts */
	struct row *rows; /* kept calls, in order of exit; after selection_sort in order of entry */
	size_t count, capacity;
};

struct selection *make_selection(const struct call_filter *filter, const char *function, size_t calls_max)
{
	struct selection *selection = calloc(1, sizeof *selection);

	if (!selection)
		return NULL;
	selection->filter = filter;
	selection->function = function;
	selection->calls_max = calls_max;
	selection->part_calls = make_part_calls(selection);
	if (selection->part_calls)
		return selection;
	free(selection);
	return NULL;
}

void free_selection(struct selection *selection)
{
	if (!selection)
		return;
	free_part_calls(selection->part_calls);
	free(selection->rows);
	free(selection);
}

struct part_calls *selection_get_part_calls(struct selection *selection)
{
	return selection->part_calls;
}

void selection_begin(struct selection *selection, const struct model *model)
{
	selection->clock = model_get_clock(model);
	selection->functions = model_get_functions(model);
}

void selection_drop(struct selection *selection, struct part_calls *part_calls)
{
	atomic_fetch_sub(&selection->held, part_calls->count);
	part_calls_empty(part_calls);
}

/* ---- selecting ---- */

static bool is_selected(struct selection *selection, struct part_calls *part_calls, uint32_t function)
{
	if (!selection->function)
		return true;
	if (!part_calls->pattern)
		part_calls->pattern = make_pattern(selection->function, selection->functions);
	if (part_calls->pattern)
		return pattern_matches(part_calls->pattern, function);
	selection->failed = true;
	return false;
}

void selection_take(void *context, const struct call *call)
{
	struct part_calls *part_calls = context;
	struct selection *selection = part_calls->owner;

	if (!call_filter_matches(selection->filter, selection->clock, call) || !is_selected(selection, part_calls, call->function))
		return;
	if (atomic_fetch_add(&selection->held, 1) >= selection->calls_max || !part_calls_add(part_calls, call)) {
		atomic_fetch_sub(&selection->held, 1);
		selection->failed = true;
	}
}

void selection_keep(struct selection *selection, struct part_calls *part_calls)
{
	if (!array_reserve(&selection->rows, &selection->capacity, selection->count + part_calls->count, sizeof *selection->rows)) {
		selection->failed = true;
		return;
	}
	for (size_t i = 0; i < part_calls->count; i++) {
		selection->rows[selection->count] = (struct row){part_calls->calls[i].call, 0, (uint32_t)selection->count};
		selection->count++;
	}
	part_calls_empty(part_calls); /* the calls still count as held */
}

bool selection_has_failed(const struct selection *selection)
{
	return selection->failed;
}

void selection_renumber(struct selection *selection, const uint32_t *map, size_t count)
{
	free_pattern(selection->part_calls->pattern); /* its cache has the old ids */
	selection->part_calls->pattern = NULL;
	for (size_t i = 0; i < selection->count; i++)
		if (selection->rows[i].call.function < count)
			selection->rows[i].call.function = map[selection->rows[i].call.function];
}

/* ---- order ---- */

/* By time, then by stream; calls without an entry first. */
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

/* By entry; calls that began at the same moment in order of exit. */
static int compare_exit_order(const void *left, const void *right)
{
	int moments = compare_moments(left, right);

	return moments ? moments : compare_numbers(left, right);
}

/* Of two calls that began at the same moment, the call left first is inside the other if it was deeper: it took time, so otherwise
 * the other call would have begun later. Calls without an entry count from the same moment, and the innermost was left first. */
static int compare_entry_order(const void *left, const void *right)
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

static void sort(struct selection *selection, int (*compare)(const void *, const void *))
{
	if (selection->count)
		qsort(selection->rows, selection->count, sizeof *selection->rows, compare);
}

/* Whether a call that took no time began at the same moment as an open outer call. Then it may or may not be inside. */
static bool begins_with_open_call(const struct model *model, const struct call *call)
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

/* Whether the order is certain. A call that took no time might be inside a call left later, or have
 * ended before that call began. */
static bool is_order_certain(const struct selection *selection, const struct model *model)
{
	uint32_t deepest = 0; /* depth of the calls at the same moment that took no time */

	for (size_t i = 0; i < selection->count; i++) {
		const struct row *row = &selection->rows[i];

		if (!i || compare_moments(row - 1, row))
			deepest = 0;
		if (!row->call.tag)
			continue;
		if (row->call.depth < deepest || (!row->call.total_ticks && begins_with_open_call(model, &row->call)))
			return false;
		if (!row->call.total_ticks && row->call.depth > deepest)
			deepest = row->call.depth;
	}
	return true;
}

bool selection_can_finish(struct selection *selection, const struct model *model)
{
	size_t open = 0;

	for (uint32_t i = 0; i < model_thread_count(model); i++)
		open += model_open_count(model, model_get_thread(model, i).stream);
	if (selection->failed || selection->held + open > selection->calls_max || functions_are_unsettled(selection->functions))
		return false;
	for (size_t i = 0; i < selection->count; i++)
		selection->rows[i].rank = selection->rows[i].call.stream;
	sort(selection, compare_exit_order);
	return is_order_certain(selection, model);
}

void selection_sort(struct selection *selection, uint32_t (*get_rank)(const void *context, uint32_t stream), const void *context)
{
	for (size_t i = 0; i < selection->count; i++)
		selection->rows[i].rank = get_rank(context, selection->rows[i].call.stream);
	sort(selection, compare_entry_order);
}

size_t selection_count(const struct selection *selection)
{
	return selection->count;
}

const struct call *selection_get(const struct selection *selection, size_t index)
{
	return &selection->rows[index].call;
}
