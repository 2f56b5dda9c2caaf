/* switch_events: opens perf events for switches, and reads the records of all CPUs in order of time. */
#include "record/session/switch_events.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf/perf_ring.h"
#include "record/program/perf_refusal.h"
#include "util/array.h"
#include "util/clock.h"

/* Size of one CPU's buffer: room for 21,000 switches, and pauses between sweeps last 20 ms at most. With the header page, the size
 * is exactly what the kernel by default lets an unprivileged user lock for each CPU. If other buffers have used that up, map_buffer
 * tries smaller buffers. */
#define BUFFER_BYTES (512u << 10)
#define BUFFER_BYTES_MIN (16u << 10)

struct switch_buffer {
	struct perf_ring ring;
	int cpu;
	uint64_t last_ns; /* time of the newest record read */
};

/* The layout that all events request: each sample has the address, and all records have pid, tid and time. Samples of page faults
 * have one or two fields more, so a sample's size shows which event it is from. */
#define SAMPLE_BYTES 24
#define MINOR_FAULT_BYTES 32
#define MAJOR_FAULT_BYTES 40
#define LAYOUT ((struct perf_layout){.sample_bytes = SAMPLE_BYTES, .trailer_bytes = 16})

/* An event of a thread and all that the thread starts, which counts by itself and needs no privilege without the kernel. */
static struct perf_event_attr make_attr(uint64_t software, uint64_t period, bool without_kernel)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(struct perf_event_attr),
		.config = software,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.inherit = 1,
		.exclude_kernel = without_kernel,
		.exclude_hv = without_kernel,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
}

static int open_event(const struct perf_event_attr *attr, pid_t tid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Opens the event for the switches of a thread on a CPU. */
static int open_switches(pid_t tid, int cpu)
{
	struct perf_event_attr attr = make_attr(PERF_COUNT_SW_TASK_CLOCK, SWITCH_SAMPLE_NS, true);

	attr.context_switch = 1;
	return open_event(&attr, tid, cpu);
}

static int open_faults(pid_t tid, int cpu, bool major, bool without_kernel)
{
	struct perf_event_attr attr =
		make_attr(major ? PERF_COUNT_SW_PAGE_FAULTS_MAJ : PERF_COUNT_SW_PAGE_FAULTS_MIN, 1, without_kernel);

	attr.sample_type |= PERF_SAMPLE_ADDR | (major ? PERF_SAMPLE_PERIOD : 0);
	return open_event(&attr, tid, cpu);
}

/* Opens the event for a kind of page faults, into the buffer. The first event decides whether faults in the kernel count. False:
 * errno is set. */
static bool add_fault_event(struct fault_events *faults, const struct switch_buffer *buffer, pid_t tid, bool major)
{
	int fd = open_faults(tid, buffer->cpu, major, faults->misses_kernel);

	if (fd < 0 && (errno == EACCES || errno == EPERM) && !faults->fds.count) {
		faults->misses_kernel = true;
		fd = open_faults(tid, buffer->cpu, major, true);
	}
	return perf_fds_add(&faults->fds, fd, buffer->ring.fd) || errno == ESRCH; /* the thread has ended */
}

/* Opens the events for the page faults of a thread, if wanted. If one is refused, page faults are not recorded at all. */
static void add_faults(struct switch_events *events, pid_t tid)
{
	struct fault_events *faults = &events->faults;

	if (!faults->wanted || *faults->why)
		return;
	for (uint32_t i = 0; i < 2 * events->buffer_count; i++) {
		faults->on = add_fault_event(faults, &events->buffers[i / 2], tid, i % 2);
		if (faults->on)
			continue;
		perf_refusal_explain(errno, false, faults->why);
		perf_fds_clear(&faults->fds);
		return;
	}
}

static bool map_buffer(struct switch_buffer *buffer)
{
	for (uint64_t bytes = BUFFER_BYTES; bytes >= BUFFER_BYTES_MIN; bytes /= 2)
		if (perf_ring_map(&buffer->ring, bytes, bytes))
			return true;
	return false;
}

bool switch_events_open(struct switch_events *events, pid_t pid, char why[static 160])
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	*events = (struct switch_events){.begin_ns = clock_now_ns(), .faults.wanted = events->faults.wanted};
	events->buffers = calloc((size_t)(cpus > 0 ? cpus : 1), sizeof *events->buffers);
	for (int cpu = 0; events->buffers && cpu < cpus; cpu++) {
		struct switch_buffer *buffer = &events->buffers[events->buffer_count];
		bool mapping;

		*buffer = (struct switch_buffer){
			.ring = {.fd = open_switches(pid, cpu), .layout = LAYOUT}, .cpu = cpu, .last_ns = events->begin_ns};
		mapping = buffer->ring.fd >= 0;

		/* The CPU is offline. If a thread runs there later, one half of a pair of
		 * switches is missing, and the other half shows that. */
		if (!mapping && errno == ENODEV)
			continue;
		if (!mapping || !map_buffer(buffer)) {
			perf_refusal_explain(errno, mapping, why);
			if (mapping)
				close(buffer->ring.fd);
			switch_events_close(events);
			return false;
		}
		events->buffer_count++;
	}
	if (!events->buffer_count)
		snprintf(why, 160, "%s", events->buffers ? "no CPU has perf events" : "out of memory");
	add_faults(events, pid);
	return events->buffer_count;
}

/* Opens events for one more thread, into the same buffers. True also if the thread has ended. False: why has the reason. */
static bool add_thread(struct switch_events *events, pid_t tid, char why[static 160])
{
	for (uint32_t i = 0; i < events->buffer_count; i++) {
		const struct switch_buffer *buffer = &events->buffers[i];

		if (perf_fds_add(&events->extra, open_switches(tid, buffer->cpu), buffer->ring.fd))
			continue;
		if (errno == ESRCH)
			return true;
		perf_refusal_explain(errno, false, why);
		return false;
	}
	add_faults(events, tid);
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
	for (uint32_t i = 0; i < events->buffer_count; i++)
		perf_ring_close(&events->buffers[i].ring);
	perf_fds_clear(&events->extra);
	perf_fds_clear(&events->faults.fds);
	free(events->buffers);
	free(events->events);
	*events = (struct switch_events){.faults.wanted = events->faults.wanted};
}

uint64_t switch_events_count_faults(const struct switch_events *events)
{
	uint64_t sum = 0, count;

	for (size_t i = 0; i < events->faults.fds.count; i++)
		if (read(events->faults.fds.list[i], &count, sizeof count) == sizeof count)
			sum += count;
	return sum;
}

/* Appends an event to the events kept for the next read. False: no memory. */
static bool add(struct switch_events *events, const struct switch_event *event)
{
	size_t count = events->count + events->held;

	if (!array_reserve(&events->events, &events->capacity, count + 1, sizeof *events->events))
		return false;
	events->events[count] = *event;
	events->held++;
	return true;
}

/* Takes the next record of a buffer, and makes it an event. False: no memory; the record is lost. */
static bool take_record(struct switch_events *events, struct switch_buffer *buffer)
{
	struct switch_event event = {.since_ns = buffer->last_ns};
	struct perf_fields fields;

	if (!perf_ring_take_fields(&buffer->ring, &fields))
		return false;
	buffer->last_ns = event.ns = fields.ns;
	event.tid = fields.tid;
	if (fields.type == PERF_RECORD_SWITCH) {
		event.kind = !(fields.misc & PERF_RECORD_MISC_SWITCH_OUT) ? SWITCH_IN
			: fields.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? SWITCH_PREEMPTED : SWITCH_OUT;
	} else if (fields.type == PERF_RECORD_SAMPLE && fields.end - fields.begin >= MINOR_FAULT_BYTES) {
		event.kind = SWITCH_FAULT;
		event.major = fields.end - fields.begin >= MAJOR_FAULT_BYTES;
		events->faults.read++;
	} else if (fields.type == PERF_RECORD_SAMPLE) {
		event.kind = SWITCH_SAMPLE;
		event.pid = fields.pid;
		memcpy(&event.address, fields.begin, sizeof event.address);
	} else if (fields.type == PERF_RECORD_LOST) {
		event.kind = SWITCH_LOST;
		event.count = fields.lost;
	} else {
		return true;
	}
	return add(events, &event);
}

static int by_time(const void *a, const void *b)
{
	const struct switch_event *left = a, *right = b;

	if (left->ns != right->ns)
		return left->ns < right->ns ? -1 : 1;
	return (left->kind == SWITCH_IN) - (right->kind == SWITCH_IN); /* out precedes in */
}

bool switch_events_read(struct switch_events *events, uint64_t until_ns)
{
	bool all = true;

	if (events->held)
		memmove(events->events, events->events + events->count, events->held * sizeof *events->events);
	events->count = 0;
	for (uint32_t i = 0; i < events->buffer_count; i++)
		while (perf_ring_peek(&events->buffers[i].ring))
			all &= take_record(events, &events->buffers[i]);
	if (events->held > 1)
		qsort(events->events, events->held, sizeof *events->events, by_time);
	while (events->held && events->events[events->count].ns <= until_ns) {
		events->count++;
		events->held--;
	}
	return all;
}
