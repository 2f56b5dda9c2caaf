/* perf_tasks: keeps a perf.data's processes, threads and maps. */
#include "reader/perf/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/hash.h"

static uint64_t key_of(uint32_t pid, uint32_t tid)
{
	return (uint64_t)pid << 32 | tid;
}

uint32_t perf_tasks_find(const struct perf_tasks *tasks, uint32_t pid, uint32_t tid)
{
	uint32_t at = numbers_get(&tasks->lives, key_of(pid, tid));

	return at && !tasks->threads[at - 1].ended ? at - 1 : PERF_NO_TASK;
}

uint32_t perf_tasks_find_process(const struct perf_tasks *tasks, uint32_t pid)
{
	uint32_t thread = perf_tasks_find(tasks, pid, pid), at;

	if (thread != PERF_NO_TASK)
		return tasks->threads[thread].process;
	at = numbers_get(&tasks->by_pid, pid); /* a process whose first thread is unknown */
	return at && !tasks->processes[at - 1].ended ? at - 1 : PERF_NO_TASK;
}

uint32_t perf_tasks_add(struct perf_tasks *tasks, uint32_t pid, uint32_t tid, const char *name)
{
	uint32_t process = perf_tasks_find_process(tasks, pid), *life = numbers_put(&tasks->lives, key_of(pid, tid));

	if (process == PERF_NO_TASK)
		process = perf_tasks_add_process(tasks, pid, PERF_NO_TASK);
	if (process == PERF_NO_TASK || !life || tasks->thread_count >= PERF_TASKS_MAX ||
		!array_reserve(&tasks->threads, &tasks->thread_capacity, tasks->thread_count + 1, sizeof *tasks->threads))
		return PERF_NO_TASK;
	tasks->threads[tasks->thread_count] = (struct perf_thread){.pid = pid, .tid = tid, .process = process, .name = name};
	*life = (uint32_t)++tasks->thread_count;
	return (uint32_t)tasks->thread_count - 1;
}

uint32_t perf_tasks_add_process(struct perf_tasks *tasks, uint32_t pid, uint32_t parent)
{
	struct perf_process *process;
	uint32_t *last = numbers_put(&tasks->by_pid, pid);

	if (!last || tasks->process_count >= PERF_TASKS_MAX ||
		!array_reserve(&tasks->processes, &tasks->process_capacity, tasks->process_count + 1, sizeof *tasks->processes))
		return PERF_NO_TASK;
	process = &tasks->processes[tasks->process_count];
	*process = (struct perf_process){.pid = pid, .path = "", .awaits_path = true};
	if (parent != PERF_NO_TASK) {
		const struct perf_process *from = &tasks->processes[parent];

		if (from->map_count && tasks->map_count + from->map_count <= PERF_MAPS_MAX) {
			if (!array_reserve(&process->maps, &process->map_capacity, from->map_count, sizeof *process->maps))
				return PERF_NO_TASK;
			memcpy(process->maps, from->maps, from->map_count * sizeof *process->maps);
			process->map_count = from->map_count;
			tasks->map_count += from->map_count;
		}
		process->path = from->path;
		process->parent_pid = from->pid;
		process->awaits_path = from->awaits_path;
	}
	*last = (uint32_t)++tasks->process_count;
	return *last - 1;
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
	process->declared_maps -= map < process->declared_maps;
	tasks->map_count--;
}

const char *perf_tasks_keep(struct perf_tasks *tasks, const char *text, size_t bytes)
{
	uint64_t key;
	uint32_t *at;

	bytes = strnlen(text, bytes);
	key = hash_bytes(HASH_BEGIN, text, bytes);
	while ((at = numbers_put(&tasks->by_hash, key)) && *at) {
		const char *kept = tasks->texts[*at - 1];

		if (!strncmp(kept, text, bytes) && !kept[bytes])
			return kept;
		key++;
	}
	if (!at || tasks->text_count >= UINT32_MAX - 1 ||
		!array_reserve(&tasks->texts, &tasks->text_capacity, tasks->text_count + 1, sizeof *tasks->texts))
		return NULL;
	tasks->texts[tasks->text_count] = strndup(text, bytes);
	if (!tasks->texts[tasks->text_count])
		return NULL;
	*at = (uint32_t)++tasks->text_count;
	return tasks->texts[*at - 1];
}

void perf_tasks_clear(struct perf_tasks *tasks)
{
	for (size_t i = 0; i < tasks->process_count; i++)
		free(tasks->processes[i].maps);
	for (size_t i = 0; i < tasks->text_count; i++)
		free(tasks->texts[i]);
	free(tasks->processes);
	free(tasks->threads);
	free(tasks->texts);
	numbers_clear(&tasks->lives);
	numbers_clear(&tasks->by_pid);
	numbers_clear(&tasks->by_hash);
	*tasks = (struct perf_tasks){0};
}
