/* uftrace: what a data directory of uftrace says of tasks and files, beside the events. For uftrace.c. */
#ifndef DWELL_HOST_READER_UFTRACE_UFTRACE_H
#define DWELL_HOST_READER_UFTRACE_UFTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "util/numbers.h"

#define UFTRACE_SID_BYTES 20u
#define UFTRACE_LIST_MAX (1u << 16) /* of tasks, sessions, files */
#define UFTRACE_MAPS_MAX (1u << 18) /* mapped and unmapped, all processes together: each has all files of its session */

struct uftrace_task {
	uint32_t tid, process; /* index of processes */
};

struct uftrace_process {
	uint32_t pid, parent_pid;
	uint32_t session; /* index + 1 of the last one so far, 0: none is known */
	uint32_t load; /* likewise */
};

/* A program that a process runs, from a moment on. */
struct uftrace_session {
	uint32_t process;
	uint64_t time;
	char sid[UFTRACE_SID_BYTES]; /* names the file with its maps */
	char *path;
	uint32_t first_map, map_count;
};

struct uftrace_map {
	uint64_t low, high, offset;
	uint8_t build_id[20];
	uint32_t build_id_bytes;
	char *path;
};

/* What is mapped into a process: all maps of a session, from a moment on. */
struct uftrace_load {
	uint32_t process, session;
	uint32_t before; /* index + 1 of what the process ran before, 0: nothing */
	uint64_t time;
};

/* Zeroed: nothing. */
struct uftrace_tasks {
	struct uftrace_task *tasks;
	size_t task_count, task_capacity;
	struct uftrace_process *processes;
	size_t process_count, process_capacity;
	struct uftrace_session *sessions;
	size_t session_count, session_capacity;
	struct uftrace_map *maps;
	size_t map_count, map_capacity;
	struct uftrace_load *loads;
	size_t load_count, load_capacity;
	struct numbers by_tid, by_pid, by_sid; /* index + 1 of tasks, of processes, of the first session by its sid's hash */
	uint64_t bad_lines;
};

/* Reads task.txt, and the maps that it names, beside the source. Null, or what is wrong: then it cannot be read. */
const char *uftrace_tasks_read(struct uftrace_tasks *tasks, const struct source *source, struct diag *diag);
void uftrace_tasks_clear(struct uftrace_tasks *tasks);

#endif
