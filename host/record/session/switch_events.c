#include "record/session/switch_events.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/program/perf_refusal.h"
#include "util/array.h"
#include "util/clock.h"

/* Of one CPU's buffer: 21,000 switches, where a sweep is due every few milliseconds. With its header page exactly what an unprivileged user
 * may lock for each CPU, as the kernel has it from the start; where that is used up, less is tried. */
#define BUFFER_BYTES (512u << 10)
#define BUFFER_BYTES_MIN (16u << 10)

struct switch_buffer {
	int fd, cpu;
	struct perf_event_mmap_page *page; /* the buffer follows */
	uint64_t bytes;
	uint64_t last_ns; /* of its newest record that was taken */
};

/* What the kernel appends to each record (sample_id_all, in this order), or has in a switch record as its only content. */
struct sample_id {
	uint32_t pid, tid;
	uint64_t ns;
};

static int open_event(pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.inherit = 1,
		.exclude_kernel = 1, /* which is what makes it anybody's to ask for */
		.exclude_hv = 1,
		.context_switch = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	return (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool map_buffer(struct switch_buffer *buffer)
{
	long page = sysconf(_SC_PAGESIZE);

	for (buffer->bytes = BUFFER_BYTES; buffer->bytes >= BUFFER_BYTES_MIN; buffer->bytes /= 2) {
		void *map = mmap(NULL, (size_t)page + buffer->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, buffer->fd, 0);

		if (map == MAP_FAILED)
			continue;
		buffer->page = map;
		return true;
	}
	return false;
}

bool switch_events_open(struct switch_events *events, pid_t pid, char why[static 160])
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	*events = (struct switch_events){.begin_ns = clock_now_ns()};
	events->buffers = calloc((size_t)(cpus > 0 ? cpus : 1), sizeof *events->buffers);
	for (int cpu = 0; events->buffers && cpu < cpus; cpu++) {
		struct switch_buffer buffer = {.fd = open_event(pid, cpu), .last_ns = events->begin_ns};
		bool mapping = buffer.fd >= 0;

		if (!mapping && errno == ENODEV) /* not there now. A switch that it sees later shows by its other half */
			continue;
		if (!mapping || !map_buffer(&buffer)) {
			perf_refusal_explain(errno, mapping, why);
			if (mapping)
				close(buffer.fd);
			switch_events_close(events);
			return false;
		}
		buffer.cpu = cpu;
		events->buffers[events->buffer_count++] = buffer;
	}
	if (!events->buffer_count)
		snprintf(why, 160, "%s", events->buffers ? "no CPU has perf events" : "out of memory");
	return events->buffer_count;
}

/* The thread as well, into the same buffers. It may have ended: that is no failure. */
static bool add_thread(struct switch_events *events, pid_t tid, char why[static 160])
{
	for (uint32_t i = 0; i < events->buffer_count; i++) {
		int fd = open_event(tid, events->buffers[i].cpu);

		if (fd < 0 && errno == ESRCH)
			return true;
		if (fd < 0 || !array_reserve(&events->others, &events->other_capacity, events->other_count + 1, sizeof *events->others) ||
			ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, events->buffers[i].fd) < 0) {
			perf_refusal_explain(errno, false, why);
			if (fd >= 0)
				close(fd);
			return false;
		}
		events->others[events->other_count++] = fd;
	}
	return true;
}

bool switch_events_open_running(struct switch_events *events, pid_t pid, char why[static 160])
{
	char path[32];
	struct dirent *entry;
	bool good = switch_events_open(events, pid, why);
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	folder = good ? opendir(path) : NULL;
	while (good && folder && (entry = readdir(folder))) {
		pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (tid > 0 && tid != pid)
			good = add_thread(events, tid, why);
	}
	if (folder)
		closedir(folder);
	if (!good)
		switch_events_close(events);
	return good;
}

void switch_events_close(struct switch_events *events)
{
	for (uint32_t i = 0; i < events->buffer_count; i++) {
		munmap(events->buffers[i].page, (size_t)sysconf(_SC_PAGESIZE) + events->buffers[i].bytes);
		close(events->buffers[i].fd);
	}
	for (size_t i = 0; i < events->other_count; i++)
		close(events->others[i]);
	free(events->others);
	free(events->buffers);
	free(events->events);
	*events = (struct switch_events){0};
}

static bool add(struct switch_events *events, const struct switch_event *event)
{
	size_t count = events->count + events->held;

	if (!array_reserve(&events->events, &events->capacity, count + 1, sizeof *events->events))
		return false;
	events->events[count] = *event;
	events->held++;
	return true;
}

/* Copies from the buffer, which is a ring. */
static void copy(const struct switch_buffer *buffer, uint64_t at, void *to, size_t bytes)
{
	const unsigned char *data = (const unsigned char *)buffer->page + sysconf(_SC_PAGESIZE);
	size_t from = (size_t)(at % buffer->bytes), first = (size_t)buffer->bytes - from;

	if (first > bytes)
		first = bytes;
	memcpy(to, data + from, first);
	memcpy((unsigned char *)to + first, data, bytes - first);
}

static bool take_record(struct switch_events *events, struct switch_buffer *buffer, uint64_t at, const struct perf_event_header *header)
{
	struct switch_event event = {.since_ns = buffer->last_ns};
	struct sample_id id;

	if (header->size < sizeof *header + sizeof id)
		return true;
	copy(buffer, at + header->size - sizeof id, &id, sizeof id);
	event.ns = buffer->last_ns = id.ns;
	event.tid = id.tid;
	if (header->type == PERF_RECORD_SWITCH) {
		event.kind = !(header->misc & PERF_RECORD_MISC_SWITCH_OUT) ? SWITCH_IN
			: header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? SWITCH_PREEMPTED : SWITCH_OUT;
	} else if (header->type == PERF_RECORD_LOST) {
		event.kind = SWITCH_LOST;
		copy(buffer, at + sizeof *header + sizeof(uint64_t), &event.count, sizeof event.count);
	} else {
		return true;
	}
	return add(events, &event);
}

static bool take_buffer(struct switch_events *events, struct switch_buffer *buffer)
{
	uint64_t end = __atomic_load_n(&buffer->page->data_head, __ATOMIC_ACQUIRE), at = buffer->page->data_tail;
	struct perf_event_header header;
	bool all = true;

	for (; end - at >= sizeof header; at += header.size) {
		copy(buffer, at, &header, sizeof header);
		if (header.size < sizeof header || header.size > end - at)
			break;
		all &= take_record(events, buffer, at, &header);
	}
	__atomic_store_n(&buffer->page->data_tail, end, __ATOMIC_RELEASE);
	return all;
}

static int by_time(const void *a, const void *b)
{
	const struct switch_event *left = a, *right = b;

	if (left->ns != right->ns)
		return left->ns < right->ns ? -1 : 1;
	return (left->kind == SWITCH_IN) - (right->kind == SWITCH_IN); /* out comes before in */
}

bool switch_events_read(struct switch_events *events, uint64_t until_ns)
{
	bool all = true;

	if (events->held)
		memmove(events->events, events->events + events->count, events->held * sizeof *events->events);
	events->count = 0;
	for (uint32_t i = 0; i < events->buffer_count; i++)
		all &= take_buffer(events, &events->buffers[i]);
	if (events->held > 1)
		qsort(events->events, events->held, sizeof *events->events, by_time);
	while (events->held && events->events[events->count].ns <= until_ns) {
		events->count++;
		events->held--;
	}
	return all;
}
