/* profile_error: see profile_error.h. */
#include "cmd/profile/error.h"

#include <math.h>
#include <stdlib.h>

#include "model/function/function.h"
#include "util/array.h"

static struct profile_error_thread *find_thread(struct profile_error *error, uint32_t tid)
{
	if (error->last < error->thread_count && error->threads[error->last].tid == tid)
		return &error->threads[error->last];
	for (error->last = 0; error->last < error->thread_count; error->last++)
		if (error->threads[error->last].tid == tid)
			return &error->threads[error->last];
	if (!array_reserve(&error->threads, &error->thread_capacity, error->thread_count + 1, sizeof *error->threads))
		return NULL;
	error->threads[error->thread_count] = (struct profile_error_thread){.tid = tid};
	return &error->threads[error->thread_count++];
}

/* What is nobody's is one, as it is in the report. */
static size_t find_symbol(const struct dwell_tally *tally, uint64_t offset)
{
	size_t index = dwell_tally_find(tally->starts, tally->count, (uintptr_t)offset);

	return index == DWELL_TALLY_NONE || !tally->names[index] ? tally->count : index;
}

static uint32_t take_id(struct profile_error *error, size_t index)
{
	if (!error->ids)
		error->ids = calloc(error->tally->count + 1, sizeof *error->ids);
	if (!error->ids)
		return FUNCTION_NONE;
	if (!error->ids[index])
		error->ids[index] = ++error->id_count;
	return error->ids[index] - 1;
}

void profile_error_add(void *context, uint32_t tid, uint64_t offset)
{
	struct profile_error *error = context;
	const struct dwell_tally *tally = error->tally;
	struct profile_error_thread *thread;
	size_t index, part;
	uint32_t id;

	if (offset >= tally->text_bytes)
		return;
	index = find_symbol(tally, offset);
	thread = find_thread(error, tid);
	id = take_id(error, index);
	if (!thread || id == FUNCTION_NONE || !estimates_add(&error->symbols, &thread->symbols, id, 1)) {
		error->starved = true;
		return;
	}
	if (index != tally->split)
		return;
	part = dwell_tally_find(tally->split_starts, tally->split_count, (uintptr_t)offset);
	if (part != DWELL_TALLY_NONE && !estimates_add(&error->parts, &thread->parts, (uint32_t)part, 1))
		error->starved = true;
}

void profile_error_end(struct profile_error *error)
{
	for (size_t i = 0; i < error->thread_count; i++)
		error->starved |= !estimates_end_run(&error->symbols, &error->threads[i].symbols) ||
			!estimates_end_run(&error->parts, &error->threads[i].parts);
}

bool profile_error_get(const void *context, bool is_part, size_t index, uintptr_t *low, uintptr_t *high)
{
	const struct profile_error *error = context;
	const struct estimates *estimates = is_part ? &error->parts : &error->symbols;
	uint32_t id = is_part ? (uint32_t)index : error->ids && error->ids[index] ? error->ids[index] - 1 : FUNCTION_NONE;
	struct estimate_share share;

	if (error->starved || !estimates->samples)
		return false;
	share = estimates_get_share(estimates, id, id < estimates->count ? (double)estimates->functions[id].samples : 0);
	*low = (uintptr_t)floor(share.low * 10000);
	*high = (uintptr_t)ceil(share.high * 10000);
	return true;
}

void profile_error_clear(struct profile_error *error)
{
	for (size_t i = 0; i < error->thread_count; i++) {
		estimate_run_clear(&error->threads[i].symbols);
		estimate_run_clear(&error->threads[i].parts);
	}
	free(error->threads);
	free(error->ids);
	estimates_clear(&error->symbols);
	estimates_clear(&error->parts);
	*error = (struct profile_error){0};
}
