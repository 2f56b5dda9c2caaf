/* perf_tasks: the processes and threads of a perf.data, and the files mapped into them. The kernel reuses pids and tids: each
 * life of a thread is a stream of its own, each life of a process a process. A child begins with the maps of its parent. */
#ifndef DWELL_HOST_READER_PERF_TASKS_H
#define DWELL_HOST_READER_PERF_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/numbers.h"

#define PERF_TASKS_MAX (1u << 20)
#define PERF_MAPS_MAX (1u << 20) /* of all processes together */

struct perf_map {
	uint64_t low, high, offset; /* offset: in the file */
	const char *path;           /* from perf_tasks_keep */
	uint8_t build_id[20];
	uint32_t build_id_bytes;
	bool is_generated; /* code that the program generated: path is that of its map (util/jit_map.h) */
};

struct perf_process {
	uint32_t pid, parent_pid;
	const char *path; /* from perf_tasks_keep; "": unknown */
	struct perf_map *maps;
	size_t map_count, map_capacity;
	size_t declared_maps; /* number of maps, from the first, whose message was given */
	/* awaits_path: no path is known, or only that of the program before exec; the next mapped file is the program.
	 * has_execed: the recording has its exec. is_declared: the process's message was written. */
	bool ended, awaits_path, has_execed, is_declared;
};

struct perf_thread {
	uint32_t pid, tid, process; /* process: index */
	const char *name; /* from perf_tasks_keep */
	uint64_t last_time; /* of its last sample */
	bool ended, is_declared; /* is_declared: the thread's message, with its present name, was written */
};

/* Zero before use: empty. */
struct perf_tasks {
	struct perf_process *processes;
	size_t process_count, process_capacity, map_count;
	struct perf_thread *threads;
	size_t thread_count, thread_capacity;
	struct numbers lives, by_pid; /* index + 1 of the latest thread with a pid and tid, and of the latest process with a pid */
	char **texts; /* the kept texts, each once */
	size_t text_count, text_capacity;
	struct numbers by_hash; /* hash → index + 1 of a text; after a collision, the next free hash */
};

#define PERF_NO_TASK UINT32_MAX

/* Return the index of the live thread or process. PERF_NO_TASK: none. */
uint32_t perf_tasks_find(const struct perf_tasks *tasks, uint32_t pid, uint32_t tid);
uint32_t perf_tasks_find_process(const struct perf_tasks *tasks, uint32_t pid);
/* Add a thread or process; the process gets a copy of the maps of parent, unless
 * that is PERF_NO_TASK. Return the index; PERF_NO_TASK: no memory, or too many. */
uint32_t perf_tasks_add(struct perf_tasks *tasks, uint32_t pid, uint32_t tid, const char *name);
uint32_t perf_tasks_add_process(struct perf_tasks *tasks, uint32_t pid, uint32_t parent);
/* Adds a map. pre: no overlapping map is left. False: no memory, or too many. */
bool perf_tasks_map(struct perf_tasks *tasks, uint32_t process, const struct perf_map *map);
void perf_tasks_unmap(struct perf_tasks *tasks, uint32_t process, size_t map);
/* Returns a copy of the text, valid until perf_tasks_clear; null: no memory. */
const char *perf_tasks_keep(struct perf_tasks *tasks, const char *text, size_t bytes);
void perf_tasks_clear(struct perf_tasks *tasks);

#endif
