/* profile: makes and merges the rows of functions, and counts durations. */
#include "model/profile/profile.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* A function gets short_calls only after this many durations: in a large program, most functions have few calls. */
#define SHORT_CALLS_FROM 8u
#define SHORT_CALLS_AT_A_TIME 16u

/* malloc returns multiples of 16, and a large array begins at least 16 bytes after the beginning of a line. */
_Static_assert(sizeof(struct profile_function) % PROFILE_LINE_BYTES == 0, "rows begin alike in their lines");
_Static_assert(offsetof(struct profile_function, max) < PROFILE_LINE_BYTES - 16, "what each call changes is in one line");

struct profile *make_profile(struct tree_room *room)
{
	struct profile *profile = calloc(1, sizeof *profile);

	if (!profile)
		return NULL;
	profile->own_room.limit = room ? 0 : tree_room_of_memory();
	profile->thread_trees.room = room ? room : &profile->own_room;
	if (!tree_init(&profile->tree, profile->thread_trees.room)) {
		free_profile(profile);
		return NULL;
	}
	return profile;
}

void profile_clear_function(struct profile_function *function)
{
	free(function->short_calls);
	histogram_clear(&function->durations);
}

void free_profile(struct profile *profile)
{
	if (!profile)
		return;
	for (size_t id = 0; id < profile->function_count; id++)
		profile_clear_function(&profile->functions[id]);
	free(profile->functions);
	free(profile->pages.list);
	free(profile->pages.has);
	free(profile->threads);
	estimates_clear(&profile->estimates);
	tree_free(&profile->tree);
	thread_trees_clear(&profile->thread_trees);
	by_thread_clear(&profile->by_thread);
	free(profile);
}

static bool keep_page(struct profile_pages *pages, uint32_t page)
{
	if (page >= pages->has_count) {
		if (!array_reserve(&pages->has, &pages->has_capacity, (size_t)page + 1, sizeof *pages->has))
			return false;
		memset(pages->has + pages->has_count, 0, (page + 1 - pages->has_count) * sizeof *pages->has);
		pages->has_count = (size_t)page + 1;
	}
	if (pages->has[page])
		return true;
	if (!array_reserve(&pages->list, &pages->capacity, pages->count + 1, sizeof *pages->list))
		return false;
	pages->has[page] = true;
	pages->list[pages->count++] = page;
	return true;
}

struct profile_function *profile_get_function(struct profile *profile, uint32_t id)
{
	if (profile->pages.are_kept && !keep_page(&profile->pages, id / PROFILE_PAGE))
		return NULL;
	if (id >= profile->function_count) {
		size_t count = (size_t)id + 1;

		if (!array_reserve(&profile->functions, &profile->function_capacity, count, sizeof *profile->functions))
			return NULL;
		memset(profile->functions + profile->function_count, 0,
			(count - profile->function_count) * sizeof *profile->functions);
		profile->function_count = count;
	}
	return &profile->functions[id];
}

uint64_t profile_count_untimed(const struct profile *profile)
{
	uint64_t count = 0;

	for (size_t id = 0; id < profile->function_count; id++)
		count += profile_is_untimed(profile, (uint32_t)id);
	return count;
}

static void forget_durations(struct profile_function *function)
{
	histogram_empty(&function->durations);
	function->min = function->max = function->sum = 0;
}

/* Counts count calls of the same duration. */
static bool add_durations(struct profile_function *function, uint64_t ticks, uint64_t count, bool complete)
{
	if (function->complete && !complete)
		return true;
	if (complete && !function->complete)
		forget_durations(function);
	function->complete = complete;
	if (!histogram_add_bucket(&function->durations, dwell_duration_bucket(ticks), count))
		return false;
	if (ticks < function->min || function->durations.count == count)
		function->min = ticks;
	if (ticks > function->max)
		function->max = ticks;
	function->sum += ticks * count;
	return true;
}

bool profile_add_duration(struct profile_function *function, uint64_t ticks, bool complete)
{
	if (complete && ticks < PROFILE_SHORT_TICKS && function->durations.count >= SHORT_CALLS_FROM && !function->short_calls)
		function->short_calls = calloc(PROFILE_SHORT_TICKS, sizeof *function->short_calls); /* null: add_durations counts */
	return add_durations(function, ticks, 1, complete);
}

/* Tests several counters at once: most are zero, and most rows are settled often. */
static bool has_any(const uint32_t *counts)
{
	uint32_t any = 0;

	for (uint32_t i = 0; i < SHORT_CALLS_AT_A_TIME; i++)
		any |= counts[i];
	return any;
}

static bool settle(struct profile_function *function)
{
	bool good = true;

	for (uint32_t ticks = 0; function->short_calls && ticks < PROFILE_SHORT_TICKS; ticks++) {
		if (ticks % SHORT_CALLS_AT_A_TIME == 0 && !has_any(function->short_calls + ticks)) {
			ticks += SHORT_CALLS_AT_A_TIME - 1;
			continue;
		}
		if (!function->short_calls[ticks])
			continue;
		good &= add_durations(function, ticks, function->short_calls[ticks], true);
		function->short_calls[ticks] = 0;
	}
	return good;
}

bool profile_settle(struct profile *profile)
{
	bool good = true;

	for (size_t id = 0; id < profile->function_count; id++)
		good &= settle(&profile->functions[id]);
	profile->unsettled_calls = 0;
	return good;
}

bool profile_merge_durations(struct profile_function *into, const struct profile_function *from)
{
	if (!from->durations.count || (into->complete && !from->complete))
		return true;
	if (from->complete && !into->complete)
		forget_durations(into);
	into->complete = from->complete;
	if (!into->durations.count || from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	into->sum += from->sum;
	return histogram_merge(&into->durations, &from->durations);
}

bool profile_off_cpu_is_unsure(const struct profile *profile)
{
	bool unsure = profile->off_cpu_is_partial;

	for (size_t i = 0; i < profile->thread_count; i++)
		unsure |= profile->threads[i].off.unknown_ticks != 0;
	return unsure;
}

bool profile_knows_cpu(const struct profile *profile)
{
	double elapsed = 0, unknown = 0;

	for (size_t i = 0; i < profile->thread_count; i++) {
		elapsed += (double)(profile->threads[i].last_ticks - profile->threads[i].first_ticks);
		unknown += (double)profile->threads[i].off.unknown_ticks;
	}
	return profile->has_off_cpu && unknown * 100 <= elapsed;
}

static bool merge_function(struct profile *into, size_t id, const struct profile_function *from)
{
	struct profile_function *function = profile_get_function(into, (uint32_t)id);

	if (!function || !profile_merge_durations(function, from))
		return false;
	function->calls += from->calls;
	function->open_calls += from->open_calls;
	function->untimed_calls += from->untimed_calls;
	function->cut_calls += from->cut_calls;
	function->cut_ticks += from->cut_ticks;
	function->total += from->total;
	function->self += from->self;
	profile_add_off_cpu(&function->self_off, &from->self_off);
	profile_add_off_cpu(&function->total_off, &from->total_off);
	return true;
}

/* Whether the row has no figures. In a part, calls and totals of the section in which the part begins
 * are still in its stack (struct stack_function). */
static bool is_empty(const struct profile_function *function)
{
	return !function->calls && !function->untimed_calls && !function->open_calls && !function->cut_calls &&
	       !function->cut_ticks && !function->total && !function->durations.count &&
	       profile_off_cpu_is_none(&function->self_off) && profile_off_cpu_is_none(&function->total_off);
}

/* pre: the row is settled. */
static void empty(struct profile_function *function)
{
	struct histogram durations = function->durations;

	histogram_empty(&durations);
	*function = (struct profile_function){.durations = durations, .short_calls = function->short_calls};
}

static void forget_pages(struct profile_pages *pages)
{
	while (pages->count)
		pages->has[pages->list[--pages->count]] = false;
}

/* The end of the page's rows; the last page may be incomplete. */
static size_t end_of_page(const struct profile *profile, uint32_t page)
{
	size_t end = ((size_t)page + 1) * PROFILE_PAGE;

	return end < profile->function_count ? end : profile->function_count;
}

void profile_empty_functions(struct profile *profile)
{
	for (size_t i = 0; i < profile->pages.count; i++) {
		uint32_t page = profile->pages.list[i];

		for (size_t id = (size_t)page * PROFILE_PAGE; id < end_of_page(profile, page); id++) {
			struct profile_function *function = &profile->functions[id];

			if (function->short_calls)
				memset(function->short_calls, 0, PROFILE_SHORT_TICKS * sizeof *function->short_calls);
			if (!is_empty(function))
				empty(function);
		}
	}
	forget_pages(&profile->pages);
}

static bool move_page(struct profile *into, struct profile *take_from, uint32_t page)
{
	bool good = true;

	for (size_t id = (size_t)page * PROFILE_PAGE; id < end_of_page(take_from, page); id++) {
		struct profile_function *from = &take_from->functions[id];

		if (is_empty(from))
			continue;
		good = good && merge_function(into, id, from);
		empty(from);
	}
	return good;
}

bool profile_settle_pages(struct profile *profile)
{
	bool good = true;

	for (size_t i = 0; i < profile->pages.count; i++) {
		uint32_t page = profile->pages.list[i];

		for (size_t id = (size_t)page * PROFILE_PAGE; id < end_of_page(profile, page); id++)
			good &= settle(&profile->functions[id]);
	}
	profile->unsettled_calls = 0;
	return good;
}

bool profile_move_functions(struct profile *into, struct profile *take_from)
{
	bool good = !take_from->unsettled_calls || profile_settle_pages(take_from);

	for (size_t i = 0; i < take_from->pages.count; i++)
		good &= move_page(into, take_from, take_from->pages.list[i]);
	forget_pages(&take_from->pages);
	into->has_times |= take_from->has_times;
	return good;
}

bool profile_renumber(struct profile *profile, const uint32_t *map, size_t count)
{
	struct profile_function *functions = calloc(count ? count : 1, sizeof *functions);
	size_t kept = 0;

	if (!functions)
		return false;
	for (size_t id = 0; id < profile->function_count; id++) {
		if (id < count && map[id] < count)
			functions[map[id]] = profile->functions[id];
		else
			profile_clear_function(&profile->functions[id]);
	}
	for (size_t id = 0; id < count; id++)
		kept += map[id] != FUNCTION_NONE;
	free(profile->functions);
	profile->functions = functions;
	profile->function_count = kept;
	profile->function_capacity = count ? count : 1;
	return by_thread_renumber(&profile->by_thread, map, count) && estimates_renumber(&profile->estimates, map, count) &&
	       tree_renumber(&profile->tree, map, count) && thread_trees_renumber(&profile->thread_trees, map, count);
}

bool profile_merge(struct profile *into, const struct profile *from)
{
	size_t threads = into->thread_count + from->thread_count;

	for (size_t id = 0; id < from->function_count; id++)
		if (!merge_function(into, id, &from->functions[id]))
			return false;
	if (!array_reserve(&into->threads, &into->thread_capacity, threads, sizeof *into->threads))
		return false;
	if (from->thread_count)
		memcpy(into->threads + into->thread_count, from->threads, from->thread_count * sizeof *from->threads);
	into->thread_count = threads;
	into->total += from->total;
	into->has_times |= from->has_times;
	into->has_off_cpu |= from->has_off_cpu;
	into->has_faults |= from->has_faults;
	into->has_samples |= from->has_samples;
	into->full_counts += from->full_counts;
	into->counts_calls |= from->counts_calls;
	into->off_cpu_is_partial |= from->off_cpu_is_partial;
	into->cut_functions_unknown |= from->cut_functions_unknown;
	if (!*into->unit)
		memcpy(into->unit, from->unit, sizeof into->unit);
	return estimates_merge(&into->estimates, &from->estimates) && tree_merge(&into->tree, &from->tree);
}
