/* profiled: see profiled.h. */
#include "sample/profiled.h"

#include <stdlib.h>

#include "util/array.h"

struct profiled_thread *profiled_find(struct profiled *profiled, uint32_t tid)
{
	if (profiled->latest < profiled->thread_count && profiled->threads[profiled->latest].tid == tid)
		return &profiled->threads[profiled->latest];
	for (size_t i = 0; i < profiled->thread_count; i++)
		if (profiled->threads[i].tid == tid) {
			profiled->latest = i;
			return &profiled->threads[i];
		}
	return NULL;
}

struct profiled_thread *profiled_take(struct profiled *profiled, uint32_t tid)
{
	struct profiled_thread *thread = profiled_find(profiled, tid);

	if (thread)
		return thread;
	if (!array_reserve(&profiled->threads, &profiled->thread_capacity, profiled->thread_count + 1, sizeof *profiled->threads))
		return NULL;
	profiled->sampled++;
	profiled->latest = profiled->thread_count++;
	thread = &profiled->threads[profiled->latest];
	*thread = (struct profiled_thread){.tid = tid, .last = OWN_TEXT_OUTSIDE};
	return thread;
}

void profiled_end(struct profiled *profiled, uint32_t tid)
{
	struct profiled_thread *thread = profiled_find(profiled, tid);

	if (!thread)
		return;
	*thread = profiled->threads[--profiled->thread_count];
}

void profiled_begin_process(struct profiled *profiled, uint32_t pid)
{
	if (array_reserve(&profiled->young, &profiled->young_capacity, profiled->young_count + 1, sizeof *profiled->young))
		profiled->young[profiled->young_count++] = pid;
}

void profiled_settle_process(struct profiled *profiled, uint32_t pid)
{
	size_t i = 0;

	while (i < profiled->young_count && profiled->young[i] != pid)
		i++;
	if (i == profiled->young_count)
		return;
	for (profiled->young_count--; i < profiled->young_count; i++)
		profiled->young[i] = profiled->young[i + 1];
}

size_t profiled_list(const struct profiled *profiled, const struct own_text *text, uint32_t *pids, size_t max)
{
	size_t count = 0;

	for (size_t i = profiled->young_count; i-- && count < max;)
		pids[count++] = profiled->young[i];
	for (size_t i = text->process_count; i-- && count < max;)
		pids[count++] = text->processes[i].pid;
	return count;
}

void profiled_clear(struct profiled *profiled)
{
	free(profiled->threads);
	free(profiled->young);
	*profiled = (struct profiled){0};
}
