/* switch_events: when threads leave and enter a CPU, and when they have page faults: perf events for a process and all processes
 * that it will start.
 *
 * There is one event and one buffer for each CPU, and every new thread and process inherits the
 * events. So a new thread needs no further call, and none of its switches is missing. The kernel
 * stamps with CLOCK_MONOTONIC. No privilege is needed if kernel.perf_event_paranoid is 2 or less. */
#ifndef DWELL_HOST_RECORD_SESSION_SWITCH_EVENTS_H
#define DWELL_HOST_RECORD_SESSION_SWITCH_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/perf_fds.h"

enum switch_kind {
	SWITCH_OUT,       /* the thread left the CPU to wait for something */
	SWITCH_PREEMPTED, /* the thread left the CPU, but could run */
	SWITCH_IN,
	SWITCH_SAMPLE,      /* a sample: the thread was on the CPU, at an address */
	SWITCH_FAULT,       /* a page fault */
	SWITCH_LOST,      /* count events of any kind, of any threads, between since_ns and ns are missing */
};

struct switch_event {
	uint64_t ns; /* CLOCK_MONOTONIC */
	uint32_t tid; /* not for SWITCH_LOST */
	enum switch_kind kind;
	uint64_t since_ns, count; /* SWITCH_LOST */
	uint64_t address;         /* SWITCH_SAMPLE: the place, in user space */
	uint32_t pid;             /* SWITCH_SAMPLE: the place's process */
	bool major;               /* SWITCH_FAULT: the kernel read the page from a file or from swap */
};

struct switch_buffer; /* of a CPU */
/* CPU time of a thread between two SWITCH_SAMPLE events: no multiple of
 * other timers' periods, and long enough to cost next to nothing. */
#define SWITCH_SAMPLE_NS UINT64_C(3970000)
/* The events for page faults. Set wanted before switch_events_open. */
struct fault_events {
	bool wanted, on;
	bool misses_kernel; /* the user may not observe the kernel: page faults inside of system calls are missing */
	char why[160];      /* wanted and not on: the reason, for people */
	struct perf_fds fds; /* their records go to the buffers of the switches */
	uint64_t read;      /* number of page faults read so far */
};

/* Zero the struct before the first use. */
struct switch_events {
	struct fault_events faults;
	struct switch_buffer *buffers;
	uint32_t buffer_count;
	struct perf_fds extra;          /* events of threads that ran already */
	struct switch_event *events; /* the count events of the last read, by time */
	size_t count;
	size_t held, capacity;       /* internal: later events, kept for the next read */
	uint64_t begin_ns; /* when the events were opened */
};

/* Opens the events for process pid, which has one thread and has started no other process.
 * False: not permitted, or no memory; why receives the reason, a line for people. Without the events for page faults the result is
 * true; faults.on shows it. */
bool switch_events_open(struct switch_events *events, pid_t pid, char why[static 160]);
/* The same for a running process. A thread may be missing if a thread without events starts it during this call. */
bool switch_events_open_running(struct switch_events *events, pid_t pid, char why[static 160]);
void switch_events_close(struct switch_events *events);

/* Takes all events up to until_ns, a moment in the past (CLOCK_MONOTONIC), into .events. No event before until_ns is missing, even
 * if a thread moved from one CPU to another: an event is in its buffer before the thread can run again. False: no memory; some
 * events may be missing. */
bool switch_events_read(struct switch_events *events, uint64_t until_ns);

/* How many page faults the kernel has counted for these events. */
uint64_t switch_events_count_faults(const struct switch_events *events);

#endif
