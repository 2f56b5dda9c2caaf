/* perf_tasks: processes and threads of a perf.data, and which files are mapped into them. Numbers of the kernel's are used again: each life
 * of a thread is a stream of its own, each process one, and a child begins with what its parent had mapped. */
#ifndef DWELL_HOST_READER_PERF_TASKS_H
#define DWELL_HOST_READER_PERF_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/numbers.h"

#define PERF_TASKS_MAX (1u << 20)
#define PERF_MAPS_MAX (1u << 20) /* of all processes */

struct perf_map {
	uint64_t low, high, offset; /* of the file */
	const char *path;           /* kept */
	uint8_t build_id[20];
	uint32_t build_id_bytes;
};

struct perf_process {
	uint32_t pid, parent_pid;
	const char *path; /* kept; "": not known */
	struct perf_map *maps;
	size_t map_count, map_capacity;
	size_t told; /* maps that were told of already, the first ones */
	bool ended, awaits_path, is_told;
};

struct perf_thread {
	uint32_t pid, tid, process;
	const char *name; /* kept */
	uint64_t last_time;
	bool ended, is_told;
};

/* Zeroed: nobody. */
struct perf_tasks {
	struct perf_process *processes;
	size_t process_count, process_capacity, map_count;
	struct perf_thread *threads;
	size_t thread_count, thread_capacity;
	struct numbers lives, by_pid; /* index + 1 of the last thread of a pid and tid, and of the last process of a pid */
	char **texts; /* kept, each once */
	size_t text_count, text_capacity;
	struct numbers by_hash; /* index + 1 of a text; where that has another hash's place, the next number is its own */
};

#define PERF_NOBODY UINT32_MAX

/* The one that lives: index. PERF_NOBODY: there is none. */
uint32_t perf_tasks_find(const struct perf_tasks *tasks, uint32_t pid, uint32_t tid);
uint32_t perf_tasks_find_process(const struct perf_tasks *tasks, uint32_t pid);
/* A new life; PERF_NOBODY: no memory, or too many. parent: a process, whose maps it begins with, or PERF_NOBODY. */
uint32_t perf_tasks_add(struct perf_tasks *tasks, uint32_t pid, uint32_t tid, const char *name);
uint32_t perf_tasks_add_process(struct perf_tasks *tasks, uint32_t pid, uint32_t parent);
/* What it maps over is not there any more. False: no memory, or too many. */
bool perf_tasks_map(struct perf_tasks *tasks, uint32_t process, const struct perf_map *map);
void perf_tasks_unmap(struct perf_tasks *tasks, uint32_t process, size_t map);
/* A text that stays; null: no memory. */
const char *perf_tasks_keep(struct perf_tasks *tasks, const char *text, size_t bytes);
void perf_tasks_clear(struct perf_tasks *tasks);

#endif
