/* cost: subtracts the cost of recording from functions and threads, and computes the errors. cost_paths.c and cost_pairs.c do the
 * same for trees. */
#include "model/profile/cost.h"

#include <stdlib.h>
#include <string.h>

#include "model/profile/cost_pairs.h"
#include "model/profile/cost_paths.h"

/* Expected costs are whole numbers of 1/1024 tick, to make sums independent of the order. */
#define COST_PARTS 1024.0

/* The cost subtracted from a time, and its error. */
struct cost {
	uint64_t ticks, error;
};

/* The state of one cost_make_net. */
struct work {
	const struct overhead *overhead;
	const struct by_thread_row **rows; /* all rows of by_thread, in order of stream */
	struct cost_function *functions;   /* index: function id; one more for calls with different names at entry and exit */
	size_t row_count, function_count;
};

/* ---- the cost of a function in a thread ---- */

/* The cost of one function in one thread: between the lower and the upper bound of all its events, both limited by the function's
 * time on the CPU. Returns the middle, with half of the difference as the error. */
static struct cost cost_of(const struct overhead *overhead, const struct by_thread_row *row)
{
	const struct overhead_part *inner = &overhead->inner, *outer = &overhead->outer;
	uint64_t room = row->self <= INT64_MAX ? profile_rest(row->self, row->self_off) : 0; /* a negative self: a damaged file */
	double calls = (double)row->calls, made = (double)row->made;
	uint64_t low = cost_min(cost_ticks(calls * inner->low + made * outer->low), room);
	uint64_t high = cost_min(cost_ticks(calls * inner->high + made * outer->high), room);

	return (struct cost){low + (high - low) / 2, high - low - (high - low) / 2};
}

static uint64_t parts_of(const struct overhead_part *part)
{
	return cost_ticks((part->low + part->high) / 2 * COST_PARTS);
}

/* The cost of these calls and calls made, in 1/1024 tick, even if it exceeds the function's time. */
static uint64_t expected_cost(const struct overhead *overhead, uint64_t calls, uint64_t made)
{
	return calls * parts_of(&overhead->inner) + made * parts_of(&overhead->outer); /* modulo 2^64 in a damaged file */
}

double cost_left_out(const struct overhead *overhead)
{
	return (double)overhead->left_out * (overhead->inner.ticks + overhead->outer.ticks);
}

double cost_counted(const struct overhead *overhead, uint64_t counted)
{
	return (double)counted * COST_COUNTED * (overhead->inner.ticks + overhead->outer.ticks);
}

/* ---- threads and functions ---- */

static int by_stream(const void *a, const void *b)
{
	const struct by_thread_row *const *left = a, *const *right = b;

	return ((*left)->stream > (*right)->stream) - ((*left)->stream < (*right)->stream);
}

static int threads_by_stream(const void *a, const void *b)
{
	const struct profile_thread *const *left = a, *const *right = b;

	return ((*left)->stream > (*right)->stream) - ((*left)->stream < (*right)->stream);
}

static bool sort_rows(const struct by_thread *table, struct work *work)
{
	work->row_count = table->count;
	work->rows = malloc((table->count + 1) * sizeof *work->rows);
	for (size_t i = 0; work->rows && i < table->count; i++)
		work->rows[i] = &table->rows[i];
	if (work->rows)
		qsort(work->rows, table->count, sizeof(struct by_thread_row *), by_stream);
	return work->rows;
}

/* Adds the row's cost to the function's sums over all threads. */
static void count_cost(struct work *work, const struct by_thread_row *row, const struct cost *cost)
{
	struct cost_function *function = &work->functions[row->function];

	function->ticks = cost_sum(function->ticks, cost->ticks);
	function->counted += expected_cost(work->overhead, row->calls, row->made) / (uint64_t)COST_PARTS;
}

/* Subtracts the row's cost from the function, the thread and the profile's total. */
static void take_from_function(
	struct profile *profile, struct profile_thread *thread, struct work *work, const struct by_thread_row *row)
{
	struct profile_function *function = &profile->functions[row->function];
	struct cost cost = cost_of(work->overhead, row);

	function->self_error += cost.error;
	if (cost.ticks > function->self || cost.ticks > thread->self_ticks)
		return;
	thread->self_ticks -= cost.ticks;
	thread->recording_ticks += cost.ticks;
	function->self -= cost.ticks;
	function->self_recording += cost.ticks;
	profile->total -= cost.ticks;
	profile->recording += cost.ticks;
	count_cost(work, row, &cost);
}

static bool take_from_functions(struct profile *profile, struct work *work)
{
	struct profile_thread **threads = malloc((profile->thread_count + 1) * sizeof *threads);
	size_t at = 0;

	for (size_t i = 0; threads && i < profile->thread_count; i++)
		threads[i] = &profile->threads[i];
	if (threads)
		qsort(threads, profile->thread_count, sizeof(struct profile_thread *), threads_by_stream);
	for (size_t i = 0; threads && i < work->row_count; i++) {
		const struct by_thread_row *row = work->rows[i];

		while (at < profile->thread_count && threads[at]->stream < row->stream)
			at++;
		if (at < profile->thread_count && threads[at]->stream == row->stream && row->function < profile->function_count)
			take_from_function(profile, threads[at], work, row);
	}
	free(threads);
	return threads;
}

/* Subtracts the costs from each thread's own tree. */
static bool take_from_thread_trees(struct profile *profile, struct work *work)
{
	bool good = true;

	for (size_t at = 0, end; good && at < work->row_count && profile->thread_trees.count; at = end) {
		uint32_t stream = work->rows[at]->stream;
		struct tree *tree =
			thread_trees_find(&profile->thread_trees, stream) ? thread_trees_get(&profile->thread_trees, stream) : NULL;

		if (tree)
			memset(work->functions, 0, (work->function_count + 1) * sizeof *work->functions);
		for (end = at; end < work->row_count && work->rows[end]->stream == stream; end++) {
			struct cost cost = cost_of(work->overhead, work->rows[end]);

			if (tree && work->rows[end]->function < work->function_count)
				count_cost(work, work->rows[end], &cost);
		}
		good = !tree || cost_take_from_tree(tree, work->overhead, work->functions, work->function_count);
	}
	return good;
}

/* ---- totals of functions ---- */

/* The costs of a whole thread. */
struct thread_cost {
	uint64_t expected; /* in 1/1024 tick */
	struct cost cost;
};

static struct thread_cost whole_of(const struct work *work, size_t begin, size_t end)
{
	struct thread_cost thread_cost = {0};

	for (size_t i = begin; i < end; i++) {
		struct cost cost = cost_of(work->overhead, work->rows[i]);

		thread_cost.expected += expected_cost(work->overhead, work->rows[i]->calls, work->rows[i]->made);
		thread_cost.cost.ticks = cost_sum(thread_cost.cost.ticks, cost.ticks);
		thread_cost.cost.error = cost_sum(thread_cost.cost.error, cost.error);
	}
	return thread_cost;
}

/* A total is the time of a function's outermost calls. The number of calls made in them is known, but not which functions were
 * called: each is assumed to cost the average of the thread's other calls. So the total of a thread's outermost function contains
 * the cost of all calls, and the total of a function without callees only its own cost. */
static void take_from_total(
	struct profile *profile, const struct work *work, const struct by_thread_row *row, const struct thread_cost *thread_cost)
{
	struct profile_function *function = &profile->functions[row->function];
	struct cost own = cost_of(work->overhead, row);
	uint64_t expected = expected_cost(work->overhead, row->calls, row->made);
	uint64_t others = profile_rest(thread_cost->expected, expected);
	uint64_t below =
		cost_min(profile_rest(expected_cost(work->overhead, row->outermost + row->below, row->below), expected), others);

	function->total_recording += own.ticks + cost_share(profile_rest(thread_cost->cost.ticks, own.ticks), below, others);
	function->total_error += own.error + cost_share(profile_rest(thread_cost->cost.error, own.error), below, others);
}

static void take_from_totals(struct profile *profile, const struct work *work)
{
	for (size_t begin = 0, end; begin < work->row_count; begin = end) {
		struct thread_cost thread_cost;

		for (end = begin; end < work->row_count && work->rows[end]->stream == work->rows[begin]->stream; end++)
			;
		thread_cost = whole_of(work, begin, end);
		for (size_t i = begin; i < end; i++)
			if (work->rows[i]->function < profile->function_count)
				take_from_total(profile, work, work->rows[i], &thread_cost);
	}
	for (size_t id = 0; id < profile->function_count; id++) {
		struct profile_function *function = &profile->functions[id];
		uint64_t before = function->total, room = profile_rest(before, profile_off_cpu(&function->total_off));

		function->total = cost_subtract(before, cost_min(function->total_recording, room), function->self);
		function->total_recording = before - function->total;
	}
}

/* Any function may have made the calls that were left out: adds their cost to each error, up to the whole time. */
static void widen_errors(struct profile *profile, const struct overhead *overhead, uint64_t counted)
{
	uint64_t more = cost_ticks(
		(double)overhead->left_out * (overhead->inner.high + overhead->outer.high) + cost_counted(overhead, counted));

	for (size_t id = 0; id < profile->function_count; id++) {
		struct profile_function *function = &profile->functions[id];

		function->self_error += cost_min(more, function->self);
		function->total_error += cost_min(more, function->total);
	}
}

bool cost_make_net(struct profile *profile, const struct overhead *overhead, uint64_t counted)
{
	struct work work = {.overhead = overhead, .function_count = profile->function_count};
	bool good;

	work.functions = calloc(profile->function_count + 1, sizeof *work.functions);
	good = work.functions && sort_rows(&profile->by_thread, &work) && take_from_functions(profile, &work) &&
	       (profile->has_pairs || cost_take_from_tree(&profile->tree, overhead, work.functions, work.function_count));
	if (good) {
		take_from_totals(profile, &work);
		widen_errors(profile, overhead, counted);
		profile->is_net = true;
		good = take_from_thread_trees(profile, &work) && (!profile->has_pairs || cost_take_from_pairs(profile));
	}
	free(work.functions);
	free(work.rows);
	return good;
}
