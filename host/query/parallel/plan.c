#include "query/parallel/plan.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define SEGMENT_CHUNKS_MAX 128u
#define SEGMENTS_LEFT 2u /* for each worker, the chunks that are left are divided into so many segments */
#define SEGMENTS_MAX 32u /* for each worker at most: joining a short segment costs hardly less than joining a long segment */

/* Segments become smaller towards the end, so that all workers finish at about the same time with little left to join. */
static uint32_t segment_chunks_of(uint64_t all, uint64_t left, uint32_t workers)
{
	uint64_t chunks = left / (workers * SEGMENTS_LEFT) + 1, least = all / (workers * SEGMENTS_MAX) + 1;

	if (chunks < least)
		chunks = least;
	return chunks < SEGMENT_CHUNKS_MAX ? (uint32_t)chunks : SEGMENT_CHUNKS_MAX;
}

static struct declared_thread *get_declared_thread(struct plan *plan, const struct model *model, uint32_t stream)
{
	uint32_t index = model_find_thread(model, stream);

	if (index == UINT32_MAX || !array_reserve(&plan->declared_thread, &plan->declared_thread_capacity, index + (size_t)1,
					   sizeof *plan->declared_thread))
		return NULL;
	for (; plan->declared_thread_count <= index; plan->declared_thread_count++)
		plan->declared_thread[plan->declared_thread_count] =
			(struct declared_thread){UINT64_MAX, UINT64_MAX, 0, PLAN_NONE, 0, PLAN_NONE, 0, 0};
	return &plan->declared_thread[index];
}

/* False: the thread changes its process, or memory ran out. */
static bool note_thread(struct plan *plan, const struct model *model, const struct message *message)
{
	struct declared_thread *thread = get_declared_thread(plan, model, message->thread.stream);

	if (!thread)
		return false;
	if (thread->declared_offset == UINT64_MAX) {
		thread->declared_offset = message->offset;
		thread->process = message->thread.process;
	}
	if (message->thread.ended && thread->ended_offset == UINT64_MAX)
		thread->ended_offset = message->offset;
	return thread->process == message->thread.process;
}

static void *copy_array(const void *from, size_t bytes)
{
	void *copy = malloc(bytes ? bytes : 1);

	if (copy && bytes)
		memcpy(copy, from, bytes);
	return copy;
}

/* Points the message to a copy of its array. False: no memory. */
static bool own_array(struct message *message)
{
	struct message_faults *faults = &message->faults;
	struct message_switches *switches = &message->switches;

	if (message->kind == MESSAGE_FAULTS)
		faults->faults = copy_array(faults->faults, faults->count * sizeof *faults->faults);
	else
		switches->switches = copy_array(switches->switches, switches->count * sizeof *switches->switches);
	return message->kind == MESSAGE_FAULTS ? faults->faults != NULL : switches->switches != NULL;
}

/* Keeps a copy until the thread's events are over. False: the message is not between the thread's declarations, or memory ran out.
 */
static bool keep_late(struct plan *plan, const struct model *model, const struct message *message)
{
	uint32_t stream = message->kind == MESSAGE_FAULTS ? message->faults.stream : message->switches.stream;
	struct declared_thread *thread = get_declared_thread(plan, model, stream);
	struct message copy = *message;

	if (!thread || message->offset < thread->declared_offset || message->offset > thread->ended_offset)
		return false;
	if (!array_reserve(&plan->late_list, &plan->late_list_capacity, plan->late_list_count + (size_t)1, sizeof *plan->late_list))
		return false;
	if (!own_array(&copy))
		return false;
	plan->late_list[plan->late_list_count++] = (struct late){copy, 0};
	if (thread->late)
		plan->late_list[thread->last_late - 1].next = plan->late_list_count;
	else
		thread->late = plan->late_list_count;
	thread->last_late = plan->late_list_count;
	return true;
}

void plan_feed_late(struct plan *plan, struct model *model, uint32_t thread)
{
	for (uint32_t at = plan->declared_thread[thread].late; at; at = plan->late_list[at - 1].next)
		model_feed(model, &plan->late_list[at - 1].message);
	plan->declared_thread[thread].late = 0;
}

bool plan_declare(struct plan *plan, struct reader *reader, struct model *model)
{
	struct message message;
	bool good = true;

	for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message)) {
		if (message.kind == MESSAGE_SWITCHES || message.kind == MESSAGE_FAULTS) {
			good = good && keep_late(plan, model, &message);
			continue;
		}
		model_feed(model, &message);
		if (message.kind == MESSAGE_THREAD)
			good = good && note_thread(plan, model, &message);
	}
	return good && model_get_clock(model)->has_origin;
}

static struct segment *add_segment(struct plan *plan)
{
	if (!array_reserve(&plan->segments, &plan->segment_capacity, plan->segment_count + (size_t)1, sizeof *plan->segments))
		return NULL;
	return &plan->segments[plan->segment_count++];
}

static bool cut_chunk(struct plan *plan, const struct reader *reader, struct declared_thread *thread, uint32_t index,
	uint32_t chunk, uint32_t segment_chunks)
{
	struct reader_chunk at = reader_get_chunk(reader, chunk);
	bool is_first = thread->segment == PLAN_NONE;
	struct segment *segment;

	if (at.offset < thread->declared_offset || at.offset > thread->ended_offset)
		return false;
	if (is_first)
		thread->first = chunk;
	if (is_first || thread->chunks >= segment_chunks) {
		segment = add_segment(plan);
		if (!segment)
			return false;
		if (!is_first)
			plan->segments[thread->segment].is_last = false;
		*segment = (struct segment){index, chunk, chunk, is_first, true};
		thread->segment = plan->segment_count - 1;
		thread->chunks = 0;
	} else {
		segment = &plan->segments[thread->segment];
		plan->next_chunk[segment->last] = chunk;
		segment->last = chunk;
	}
	plan->next_chunk[chunk] = PLAN_NONE;
	thread->chunks++;
	return true;
}

static bool keep_threads(struct plan *plan, const struct model *model)
{
	uint32_t count = model_thread_count(model);

	plan->threads = malloc(count * sizeof *plan->threads);
	for (uint32_t i = 0; plan->threads && i < count; i++)
		plan->threads[i] = model_get_thread(model, i);
	return plan->threads;
}

bool plan_cut(struct plan *plan, const struct reader *reader, const struct model *model, uint32_t workers, uint32_t segment_chunks)
{
	uint64_t chunks = reader_chunk_count(reader);

	if (!chunks || chunks >= PLAN_NONE)
		return false;
	plan->next_chunk = malloc(chunks * sizeof *plan->next_chunk);
	for (uint32_t chunk = 0; plan->next_chunk && chunk < chunks; chunk++) {
		uint32_t index = model_find_thread(model, reader_get_chunk(reader, chunk).stream);
		uint32_t most = segment_chunks ? segment_chunks : segment_chunks_of(chunks, chunks - chunk, workers);

		if (index >= plan->declared_thread_count ||
			!cut_chunk(plan, reader, &plan->declared_thread[index], index, chunk, most))
			return false;
	}
	return plan->next_chunk && keep_threads(plan, model);
}

void plan_clear(struct plan *plan)
{
	for (uint32_t i = 0; i < plan->late_list_count; i++) {
		const struct message *message = &plan->late_list[i].message;

		free(message->kind == MESSAGE_FAULTS ? (void *)message->faults.faults : (void *)message->switches.switches);
	}
	free(plan->late_list);
	free(plan->declared_thread);
	free(plan->next_chunk);
	free(plan->segments);
	free(plan->threads);
	*plan = (struct plan){0};
}
