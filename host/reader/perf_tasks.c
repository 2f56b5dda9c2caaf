/* perf_tasks: see perf_tasks.h. */
#include "reader/perf_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

static size_t hash_of(const struct perf_tasks *tasks, uint32_t tid)
{
	return (size_t)(tid * UINT32_C(2654435761)) & (tasks->head_count - 1);
}

uint32_t perf_tasks_find(const struct perf_tasks *tasks, uint32_t pid, uint32_t tid)
{
	uint32_t at = tasks->head_count ? tasks->heads[hash_of(tasks, tid)] : 0;

	for (; at; at = tasks->threads[at - 1].next) {
		const struct perf_thread *thread = &tasks->threads[at - 1];

		if (thread->tid == tid && thread->pid == pid)
			return thread->ended ? PERF_NOBODY : at - 1;
	}
	return PERF_NOBODY;
}

uint32_t perf_tasks_find_process(const struct perf_tasks *tasks, uint32_t pid)
{
	uint32_t thread = perf_tasks_find(tasks, pid, pid);

	if (thread != PERF_NOBODY && tasks->threads[thread].pid == pid)
		return tasks->threads[thread].process;
	for (size_t i = tasks->process_count; i--;) /* of which the first thread is not known */
		if (tasks->processes[i].pid == pid)
			return tasks->processes[i].ended ? PERF_NOBODY : (uint32_t)i;
	return PERF_NOBODY;
}

static bool grow(struct perf_tasks *tasks)
{
	size_t count = tasks->head_count ? tasks->head_count * 2 : 64;
	uint32_t *heads;

	if (tasks->thread_count < tasks->head_count)
		return true;
	heads = calloc(count, sizeof *heads);
	if (!heads)
		return false;
	free(tasks->heads);
	tasks->heads = heads;
	tasks->head_count = count;
	for (uint32_t i = 0; i < tasks->thread_count; i++) { /* in their order: the last one stands first */
		uint32_t *head = &heads[hash_of(tasks, tasks->threads[i].tid)];

		tasks->threads[i].next = *head;
		*head = i + 1;
	}
	return true;
}

uint32_t perf_tasks_add(struct perf_tasks *tasks, uint32_t pid, uint32_t tid, const char *name)
{
	uint32_t process = perf_tasks_find_process(tasks, pid), *head;

	if (process == PERF_NOBODY)
		process = perf_tasks_add_process(tasks, pid, PERF_NOBODY);
	if (process == PERF_NOBODY || tasks->thread_count >= PERF_TASKS_MAX || !grow(tasks) ||
		!array_reserve(&tasks->threads, &tasks->thread_capacity, tasks->thread_count + 1, sizeof *tasks->threads))
		return PERF_NOBODY;
	head = &tasks->heads[hash_of(tasks, tid)];
	tasks->threads[tasks->thread_count] = (struct perf_thread){.pid = pid, .tid = tid, .process = process, .name = name, .next = *head};
	*head = (uint32_t)++tasks->thread_count;
	return (uint32_t)tasks->thread_count - 1;
}

uint32_t perf_tasks_add_process(struct perf_tasks *tasks, uint32_t pid, uint32_t parent)
{
	struct perf_process *process;

	if (tasks->process_count >= PERF_TASKS_MAX ||
		!array_reserve(&tasks->processes, &tasks->process_capacity, tasks->process_count + 1, sizeof *tasks->processes))
		return PERF_NOBODY;
	process = &tasks->processes[tasks->process_count];
	*process = (struct perf_process){.pid = pid, .path = "", .awaits_path = true};
	if (parent != PERF_NOBODY) {
		const struct perf_process *from = &tasks->processes[parent];

		if (from->map_count && tasks->map_count + from->map_count <= PERF_MAPS_MAX) {
			if (!array_reserve(&process->maps, &process->map_capacity, from->map_count, sizeof *process->maps))
				return PERF_NOBODY;
			memcpy(process->maps, from->maps, from->map_count * sizeof *process->maps);
			process->map_count = from->map_count;
			tasks->map_count += from->map_count;
		}
		process->path = from->path;
		process->parent_pid = from->pid;
		process->awaits_path = from->awaits_path;
	}
	return (uint32_t)tasks->process_count++;
}

bool perf_tasks_map(struct perf_tasks *tasks, uint32_t index, const struct perf_map *map)
{
	struct perf_process *process = &tasks->processes[index];

	if (tasks->map_count >= PERF_MAPS_MAX ||
		!array_reserve(&process->maps, &process->map_capacity, process->map_count + 1, sizeof *process->maps))
		return false;
	process->maps[process->map_count++] = *map;
	tasks->map_count++;
	return true;
}

void perf_tasks_unmap(struct perf_tasks *tasks, uint32_t index, size_t map)
{
	struct perf_process *process = &tasks->processes[index];

	memmove(process->maps + map, process->maps + map + 1, (process->map_count - map - 1) * sizeof *process->maps);
	process->map_count--;
	process->told -= map < process->told;
	tasks->map_count--;
}

const char *perf_tasks_keep(struct perf_tasks *tasks, const char *text, size_t bytes)
{
	size_t low = 0, high = tasks->text_count;

	bytes = strnlen(text, bytes);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *kept = tasks->texts[middle];
		int order = strncmp(kept, text, bytes);

		if (!order && !kept[bytes])
			return kept;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!array_reserve(&tasks->texts, &tasks->text_capacity, tasks->text_count + 1, sizeof *tasks->texts))
		return NULL;
	memmove(tasks->texts + low + 1, tasks->texts + low, (tasks->text_count - low) * sizeof *tasks->texts);
	tasks->texts[low] = strndup(text, bytes);
	if (!tasks->texts[low]) {
		memmove(tasks->texts + low, tasks->texts + low + 1, (tasks->text_count - low) * sizeof *tasks->texts);
		return NULL;
	}
	tasks->text_count++;
	return tasks->texts[low];
}

void perf_tasks_clear(struct perf_tasks *tasks)
{
	for (size_t i = 0; i < tasks->process_count; i++)
		free(tasks->processes[i].maps);
	for (size_t i = 0; i < tasks->text_count; i++)
		free(tasks->texts[i]);
	free(tasks->processes);
	free(tasks->threads);
	free(tasks->heads);
	free(tasks->texts);
	*tasks = (struct perf_tasks){0};
}
