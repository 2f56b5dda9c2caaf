/* uftrace_tasks: see uftrace.h. Lines of task.txt:
 *
 *     SESS timestamp=18809.932767052 pid=17797 sid=a01438ff20a24de8 exename="/home/me/app"
 *     TASK timestamp=18809.933525142 tid=17802 pid=17797
 *     FORK timestamp=18809.940130262 pid=17803 ppid=17797
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/text_lines.h"
#include "reader/uftrace/uftrace.h"
#include "util/array.h"

static const char starved[] = "cannot be read: out of memory";

/* The value behind " key=" in the line; null: it has none. */
static const char *find_value(const char *line, const char *key)
{
	size_t bytes = strlen(key);

	for (const char *at = line; (at = strstr(at, key)); at++)
		if (at > line && at[-1] == ' ' && at[bytes] == '=')
			return at + bytes + 1;
	return NULL;
}

static bool take_number(const char *line, const char *key, uint32_t *number)
{
	const char *text = find_value(line, key);
	char *end;
	unsigned long value;

	if (!text || *text < '0' || *text > '9')
		return false;
	value = strtoul(text, &end, 10);
	*number = (uint32_t)value;
	return value <= UINT32_MAX;
}

/* "18809.932767052" as nanoseconds. */
static bool take_time(const char *line, uint64_t *ns)
{
	const char *text = find_value(line, "timestamp");
	uint64_t fraction = 0;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	*ns = strtoull(text, &end, 10);
	if (*ns > UINT64_MAX / 2000000000 || *end != '.')
		return false;
	for (int i = 0; i < 9; i++)
		fraction = 10 * fraction + (end[1 + i] >= '0' && end[1 + i] <= '9' ? (uint64_t)(end[1 + i] - '0') : 0);
	*ns = *ns * 1000000000 + fraction;
	return true;
}

/* UINT32_MAX: no memory, or too many. */
static uint32_t find_process(struct uftrace_tasks *tasks, uint32_t pid)
{
	uint32_t *known = numbers_put(&tasks->by_pid, pid);

	if (known && *known)
		return *known - 1;
	if (!known || tasks->process_count >= UFTRACE_LIST_MAX ||
		!array_reserve(&tasks->processes, &tasks->process_capacity, tasks->process_count + 1, sizeof *tasks->processes))
		return UINT32_MAX;
	tasks->processes[tasks->process_count] = (struct uftrace_process){.pid = pid};
	*known = (uint32_t)++tasks->process_count;
	return *known - 1;
}

static bool add_task(struct uftrace_tasks *tasks, uint32_t tid, uint32_t pid)
{
	uint32_t process = find_process(tasks, pid), *known = numbers_put(&tasks->by_tid, tid);

	if (process == UINT32_MAX || !known)
		return false;
	if (*known)
		return true;
	if (tasks->task_count >= UFTRACE_LIST_MAX ||
		!array_reserve(&tasks->tasks, &tasks->task_capacity, tasks->task_count + 1, sizeof *tasks->tasks))
		return false;
	tasks->tasks[tasks->task_count++] = (struct uftrace_task){tid, process};
	*known = (uint32_t)tasks->task_count;
	return true;
}

static bool add_load(struct uftrace_tasks *tasks, uint32_t process, uint32_t session, uint64_t time)
{
	if (tasks->load_count >= UFTRACE_LIST_MAX ||
		!array_reserve(&tasks->loads, &tasks->load_capacity, tasks->load_count + 1, sizeof *tasks->loads))
		return false;
	tasks->loads[tasks->load_count++] = (struct uftrace_load){process, session, tasks->processes[process].load, time};
	tasks->processes[process].session = session + 1;
	tasks->processes[process].load = (uint32_t)tasks->load_count;
	return true;
}

/* A child runs what its parent ran. */
static bool add_fork(struct uftrace_tasks *tasks, uint32_t pid, uint32_t parent_pid, uint64_t time)
{
	uint32_t parent = find_process(tasks, parent_pid), child = find_process(tasks, pid);

	if (parent == UINT32_MAX || child == UINT32_MAX || !add_task(tasks, pid, pid))
		return false;
	tasks->processes[child].parent_pid = parent_pid;
	return !tasks->processes[parent].session || add_load(tasks, child, tasks->processes[parent].session - 1, time);
}

/* "7fcb37000000-7fcb3765c000 r-xp 00000000 00:00 0    /usr/lib/libc.so.6 build-id:24c5..". False: no memory. */
static bool add_map(struct uftrace_tasks *tasks, const char *line)
{
	struct uftrace_map map = {0};
	char access[8], byte[3] = "";
	const char *path = strchr(line, '/'), *id = strstr(line, " build-id:"), *hex;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64, &map.low, &map.high, access, &map.offset) != 4 || map.low >= map.high ||
		!path || (id && id < path) || strlen(access) < 3 || access[2] != 'x')
		return true;
	for (hex = id ? id + 10 : ""; map.build_id_bytes < 20 && strspn(hex, "0123456789abcdef") >= 2; hex += 2) {
		memcpy(byte, hex, 2);
		map.build_id[map.build_id_bytes++] = (uint8_t)strtoul(byte, NULL, 16);
	}
	if (tasks->map_count >= UFTRACE_LIST_MAX ||
		!array_reserve(&tasks->maps, &tasks->map_capacity, tasks->map_count + 1, sizeof *tasks->maps))
		return false;
	map.path = id ? strndup(path, (size_t)(id - path)) : strdup(path);
	if (map.path)
		tasks->maps[tasks->map_count++] = map;
	return map.path;
}

static bool read_maps(struct uftrace_tasks *tasks, struct uftrace_session *session, const struct source *source, struct diag *diag)
{
	char name[UFTRACE_SID_BYTES + 16];
	struct source *file;
	struct text_lines lines = {0};
	struct text_line line;
	bool good = true;

	snprintf(name, sizeof name, "sid-%s.map", session->sid);
	session->first_map = (uint32_t)tasks->map_count;
	file = lines.source = make_source_beside(source, name, diag);
	while (lines.source && good && text_lines_next(&lines, &line)) {
		if (line.too_long)
			continue;
		line.text[line.length] = 0;
		good = add_map(tasks, line.text);
	}
	session->map_count = (uint32_t)tasks->map_count - session->first_map;
	text_lines_clear(&lines);
	free_source(file);
	return good;
}

/* Those of a session that is told again are known. */
static bool take_maps(struct uftrace_tasks *tasks, uint32_t index, const struct source *source, struct diag *diag)
{
	struct uftrace_session *session = &tasks->sessions[index], *known;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	uint32_t *first;

	for (const char *digit = session->sid; *digit; digit++)
		hash = (hash ^ (uint8_t)*digit) * UINT64_C(0x100000001b3);
	first = numbers_put(&tasks->by_sid, hash);
	if (!first)
		return false;
	known = *first ? &tasks->sessions[*first - 1] : NULL;
	if (!known)
		*first = index + 1;
	if (!known || strcmp(known->sid, session->sid) != 0)
		return read_maps(tasks, session, source, diag);
	session->first_map = known->first_map;
	session->map_count = known->map_count;
	return true;
}

/* False: no memory. */
static bool add_session(struct uftrace_tasks *tasks, const char *line, uint32_t pid, uint64_t time)
{
	const char *sid = find_value(line, "sid"), *path = find_value(line, "exename");
	struct uftrace_session session = {.time = time, .process = find_process(tasks, pid)};
	size_t bytes = sid ? strspn(sid, "0123456789abcdef") : 0;

	if (session.process == UINT32_MAX || tasks->session_count >= UFTRACE_LIST_MAX ||
		!array_reserve(&tasks->sessions, &tasks->session_capacity, tasks->session_count + 1, sizeof *tasks->sessions))
		return false;
	if (!bytes || bytes >= UFTRACE_SID_BYTES) {
		tasks->bad_lines++;
		return true;
	}
	memcpy(session.sid, sid, bytes);
	session.path = path && *path == '"' ? strndup(path + 1, strcspn(path + 1, "\"")) : strdup("");
	if (!session.path)
		return false;
	tasks->sessions[tasks->session_count++] = session;
	return add_load(tasks, session.process, (uint32_t)tasks->session_count - 1, time);
}

/* False: no memory. */
static bool take_line(struct uftrace_tasks *tasks, const char *line)
{
	uint32_t pid, other;
	uint64_t time;

	if (!take_number(line, "pid", &pid) || !take_time(line, &time)) {
		tasks->bad_lines += *line != 0;
		return true;
	}
	if (!strncmp(line, "SESS ", 5))
		return add_session(tasks, line, pid, time);
	if (!strncmp(line, "TASK ", 5) && take_number(line, "tid", &other))
		return add_task(tasks, other, pid);
	if (!strncmp(line, "FORK ", 5) && take_number(line, "ppid", &other))
		return add_fork(tasks, pid, other, time);
	return true; /* of a library that was loaded later: it is in no file where it lies */
}

const char *uftrace_tasks_read(struct uftrace_tasks *tasks, const struct source *source, struct diag *diag)
{
	struct source *file = make_source_beside(source, "task.txt", NULL);
	struct text_lines lines = {.source = file};
	struct text_line line;
	bool good = true;

	if (!file)
		return "is of a data directory of uftrace, and task.txt is not beside it: give the directory";
	while (good && text_lines_next(&lines, &line)) {
		if (line.too_long) {
			tasks->bad_lines++;
			continue;
		}
		line.text[line.length] = 0;
		good = take_line(tasks, line.text);
	}
	good = good && !lines.no_memory;
	text_lines_clear(&lines);
	free_source(file);
	for (uint32_t i = 0; good && i < tasks->session_count; i++)
		good = take_maps(tasks, i, source, diag);
	return good ? NULL : starved;
}

void uftrace_tasks_clear(struct uftrace_tasks *tasks)
{
	for (size_t i = 0; i < tasks->session_count; i++)
		free(tasks->sessions[i].path);
	for (size_t i = 0; i < tasks->map_count; i++)
		free(tasks->maps[i].path);
	free(tasks->tasks);
	free(tasks->processes);
	free(tasks->sessions);
	free(tasks->maps);
	free(tasks->loads);
	numbers_clear(&tasks->by_tid);
	numbers_clear(&tasks->by_pid);
	numbers_clear(&tasks->by_sid);
	*tasks = (struct uftrace_tasks){0};
}
