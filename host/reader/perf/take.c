/* perf_take: evaluates the kernel's records, in order of time: mappings, names, forks, exits, losses, samples (reader.h). */
#include "reader/perf/reader.h"

#include <string.h>

#include "util/jit_map.h"
#include "util/saturate.h"

enum {
	RECORD_MAP = 1, RECORD_LOST = 2, RECORD_NAME = 3, RECORD_EXIT = 4, RECORD_THROTTLE = 5, RECORD_FORK = 7, RECORD_SAMPLE = 9,
	RECORD_MAP2 = 10, RECORD_LOST_SAMPLES = 13,
};
enum { FLAG_KERNEL_MASK = 7, FLAG_KERNEL = 1, FLAG_DATA = 1 << 13, FLAG_EXEC = 1 << 13, FLAG_BUILD_ID = 1 << 14 };

static uint32_t find_thread(struct perf_reader *reader, uint32_t pid, uint32_t tid)
{
	uint32_t thread = perf_tasks_find(&reader->tasks, pid, tid);

	return thread == PERF_NO_TASK ? perf_tasks_add(&reader->tasks, pid, tid, "") : thread;
}

/* Returns whether a mapping has no file: the program writes the code. */
static bool is_generated(const char *name, size_t bytes)
{
	static const char *const names[] = {"//anon", "[anon:", "/dev/zero", "/anon_hugepage", "/memfd:"};
	bool found = false;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		found |= bytes > strlen(names[i]) && !strncmp(name, names[i], strlen(names[i]));
	return found;
}

/* Returns whether a mapping is the first after an exec: then a file in memory is the program, not generated code. */
static bool is_program(const struct perf_tasks *tasks, uint32_t thread)
{
	const struct perf_process *process = thread == PERF_NO_TASK ? NULL : &tasks->processes[tasks->threads[thread].process];

	return process && process->has_execed && process->awaits_path;
}

static const char *keep_jit_map(struct perf_reader *reader, uint32_t pid)
{
	char path[JIT_MAP_PATH_BYTES];

	jit_map_write_path(path, pid);
	return perf_tasks_keep(&reader->tasks, path, sizeof path);
}

static void take_map(struct perf_reader *reader, struct bytes record, uint64_t time)
{
	bool is_second = get_u32(record.data) == RECORD_MAP2;
	uint32_t flags = get_u16(record.data + 4), pid = get_u32(record.data + 8), tid = get_u32(record.data + 12);
	size_t name_at = is_second ? 72 : 40, behind = record.size - name_at;
	struct perf_map map = {.low = get_u64(record.data + 16), .offset = get_u64(record.data + 32)};
	struct perf_process *process;
	uint32_t index, thread;
	const char *name;

	if (__builtin_add_overflow(map.low, get_u64(record.data + 24), &map.high) || map.low >= map.high)
		return;
	if (pid == UINT32_MAX || (flags & FLAG_KERNEL_MASK) == FLAG_KERNEL || (flags & FLAG_DATA && !is_second))
		return; /* kernel code, or data */
	if (is_second && !(get_u32(record.data + 64) & 4))
		return;
	thread = find_thread(reader, pid, tid);
	name = (const char *)record.data + name_at;
	map.is_generated = is_generated(name, behind) && !is_program(&reader->tasks, thread);
	map.path = map.is_generated ? keep_jit_map(reader, pid) : perf_tasks_keep(&reader->tasks, name, behind);
	if (thread == PERF_NO_TASK || !map.path)
		return;
	if (is_second && flags & FLAG_BUILD_ID) {
		map.build_id_bytes = record.data[40] < 20 ? record.data[40] : 20;
		memcpy(map.build_id, record.data + 44, map.build_id_bytes);
	}
	index = reader->tasks.threads[thread].process;
	process = &reader->tasks.processes[index];
	if (process->awaits_path && *map.path == '/' && !map.is_generated) {
		process->path = map.path;
		process->awaits_path = process->is_declared = false;
	}
	for (size_t i = process->map_count; i--;)
		if (process->maps[i].low < map.high && map.low < process->maps[i].high)
			perf_push_unmap(reader, index, i, time);
	reader->no_memory |= !perf_tasks_map(&reader->tasks, index, &map);
}

/* Ends a thread's life, and with a process's first thread the process's life. */
static void end_thread(struct perf_reader *reader, uint32_t index)
{
	struct perf_thread *thread = &reader->tasks.threads[index];

	thread->ended = true;
	if (thread->pid == thread->tid)
		reader->tasks.processes[thread->process].ended = true;
	if (thread->is_declared)
		perf_push_thread(reader, index);
}

/* After an exec, a new process begins: samples before the exec keep the old program's path and name. */
static void take_exec(struct perf_reader *reader, uint32_t index, const char *name, uint64_t time)
{
	struct perf_thread old = reader->tasks.threads[index];
	uint32_t process = old.process, parent_pid = reader->tasks.processes[process].parent_pid;

	while (reader->tasks.processes[process].map_count)
		perf_push_unmap(reader, process, reader->tasks.processes[process].map_count - 1, time);
	if (old.is_declared || reader->tasks.processes[process].is_declared) {
		end_thread(reader, index);
		process = perf_tasks_add_process(&reader->tasks, old.pid, PERF_NO_TASK);
		if (process == PERF_NO_TASK || perf_tasks_add(&reader->tasks, old.pid, old.tid, name) == PERF_NO_TASK)
			return;
		reader->tasks.processes[process].parent_pid = parent_pid;
	} else {
		reader->tasks.threads[index].name = name;
	}
	reader->tasks.processes[process].awaits_path = reader->tasks.processes[process].has_execed = true;
}

/* Sets a thread's name; with FLAG_EXEC, the process runs another program from here on. */
static void take_name(struct perf_reader *reader, struct bytes record, uint64_t time)
{
	uint32_t index = find_thread(reader, get_u32(record.data + 8), get_u32(record.data + 12));
	const char *name = perf_tasks_keep(&reader->tasks, (const char *)record.data + 16, record.size - 16);
	struct perf_thread *thread;

	if (index == PERF_NO_TASK || !name)
		return;
	if (get_u16(record.data + 4) & FLAG_EXEC) {
		take_exec(reader, index, name, time);
		return;
	}
	thread = &reader->tasks.threads[index];
	thread->name = name;
	thread->is_declared = false;
}

static void take_fork(struct perf_reader *reader, struct bytes record)
{
	uint32_t pid = get_u32(record.data + 8), parent_pid = get_u32(record.data + 12), tid = get_u32(record.data + 16);
	uint32_t parent = perf_tasks_find(&reader->tasks, parent_pid, get_u32(record.data + 20));
	const char *name = parent == PERF_NO_TASK ? "" : reader->tasks.threads[parent].name;

	if (pid == parent_pid && tid == pid)
		return; /* perf's record of a process that was running already */
	if (pid != parent_pid && perf_tasks_find_process(&reader->tasks, pid) == PERF_NO_TASK)
		perf_tasks_add_process(&reader->tasks, pid, perf_tasks_find_process(&reader->tasks, parent_pid));
	if (perf_tasks_find(&reader->tasks, pid, tid) == PERF_NO_TASK)
		perf_tasks_add(&reader->tasks, pid, tid, name);
}

static void take_exit(struct perf_reader *reader, struct bytes record)
{
	uint32_t pid = get_u32(record.data + 8), tid = get_u32(record.data + 16),
		 thread = perf_tasks_find(&reader->tasks, pid, tid);

	if (thread != PERF_NO_TASK)
		end_thread(reader, thread);
}

static void take_loss(struct perf_reader *reader, enum dwell_loss_reason reason, uint64_t count, uint64_t *sum, uint64_t time)
{
	struct message *message = perf_push_message(reader, MESSAGE_LOSS);

	saturate_add(sum, count);
	if (message)
		message->loss = (struct message_loss){.reason = reason, .count = *sum, .ticks = time};
}

/* Returns the bytes of a record's fields that this file reads, without the trailer. */
static size_t fixed_bytes(uint32_t type)
{
	switch (type) {
	case RECORD_MAP:
		return 40;
	case RECORD_MAP2:
		return 72;
	case RECORD_NAME:
		return 16;
	case RECORD_FORK:
	case RECORD_EXIT:
		return 32;
	case RECORD_LOST:
		return 24;
	case RECORD_LOST_SAMPLES:
		return 16;
	}
	return PERF_HEAD_BYTES;
}

/* False, as perf_take_record: the samples before this one must become a message first. */
static bool take_sample(struct perf_reader *reader, struct bytes record)
{
	struct perf_sample sample;
	struct reader_callers callers;
	const struct perf_process *process;
	struct perf_thread *thread;
	uint32_t index;

	if (!perf_layout_get_sample(&reader->head.layout, record, &sample)) {
		reader->damaged++;
		return true;
	}
	if (!reader->choice.is_made)
		perf_choose_event(reader);
	if (!reader->sampling_written)
		perf_push_sampling(reader);
	if (sample.event != &reader->head.layout.events[reader->choice.event]) {
		reader->other_samples++;
		return true;
	}
	index = find_thread(reader, sample.pid, sample.tid);
	if (index == PERF_NO_TASK) {
		reader->no_memory = true;
		return true;
	}
	thread = &reader->tasks.threads[index];
	process = &reader->tasks.processes[thread->process];
	if (reader->samples.count &&
		(reader->samples.stream != index || reader->queued || !thread->is_declared ||
			process->declared_maps < process->map_count || perf_samples_are_full(&reader->samples)))
		return false;
	if (!thread->is_declared || !process->is_declared)
		perf_push_thread(reader, index);
	sample.time = sample.time > thread->last_time ? sample.time : thread->last_time;
	thread->last_time = sample.time;
	if (sample.event->has_stack)
		perf_stacks_begin(reader);
	perf_push_maps(reader, thread->process, sample.time);
	reader->kernel += sample.is_kernel;
	if (!perf_samples_add(&reader->samples, index, &sample,
		    perf_stacks_find(reader, thread->process, &sample, &callers) ? &callers : NULL))
		reader->no_memory = true;
	return true;
}

bool perf_take_record(struct perf_reader *reader, struct bytes record)
{
	uint32_t type = get_u32(record.data);
	size_t behind = perf_layout_trailer_bytes(&reader->head.layout);
	uint64_t time = perf_layout_get_time(&reader->head.layout, record, type == RECORD_SAMPLE);

	if (type == RECORD_SAMPLE)
		return take_sample(reader, record);
	if (reader->samples.count)
		return false;
	if (record.size < fixed_bytes(type) + behind) {
		reader->damaged++;
		return true;
	}
	record.size -= behind;
	switch (type) {
	case RECORD_MAP:
	case RECORD_MAP2:
		take_map(reader, record, time);
		break;
	case RECORD_NAME:
		take_name(reader, record, time);
		break;
	case RECORD_FORK:
		take_fork(reader, record);
		break;
	case RECORD_EXIT:
		take_exit(reader, record);
		break;
	case RECORD_LOST:
		take_loss(reader, DWELL_LOSS_SAMPLES, get_u64(record.data + 16), &reader->lost, time);
		break;
	case RECORD_LOST_SAMPLES:
		take_loss(reader, DWELL_LOSS_SAMPLES, get_u64(record.data + 8), &reader->lost, time);
		break;
	case RECORD_THROTTLE:
		take_loss(reader, DWELL_LOSS_THROTTLED, 1, &reader->throttled, time);
		break;
	}
	return true;
}
