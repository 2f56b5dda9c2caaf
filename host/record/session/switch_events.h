/* switch_events: when threads leave and enter a CPU, as the kernel tells those who may know: perf events of a process and of all that it
 * will ever start.
 *
 * One event and one buffer for each CPU, inherited by every new thread and process, so nothing has to be opened when a thread begins and
 * nothing of it is missed. The kernel stamps with CLOCK_MONOTONIC. It needs no privilege where kernel.perf_event_paranoid is 2 or less. */
#ifndef DWELL_HOST_RECORD_SESSION_SWITCH_EVENTS_H
#define DWELL_HOST_RECORD_SESSION_SWITCH_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum switch_kind {
	SWITCH_OUT,       /* it waits for something */
	SWITCH_PREEMPTED, /* out, but able to run */
	SWITCH_IN,
	SWITCH_LOST,      /* of any threads: between since_ns and ns some of these are missing, count of them */
};

struct switch_event {
	uint64_t ns;
	uint32_t tid;
	enum switch_kind kind;
	uint64_t since_ns, count; /* SWITCH_LOST */
};

struct switch_buffer;
/* Zero it before the first use. */
struct switch_events {
	struct switch_buffer *buffers;
	uint32_t buffer_count;
	int *others;                 /* events that use the buffer of another one */
	size_t other_count, other_capacity;
	struct switch_event *events; /* what was read last, by time */
	size_t count;
	size_t held, capacity;       /* internal: events behind those, that are not to be given yet */
	uint64_t begin_ns;
};

/* Opens for the process pid, which has one thread and did not start another one yet. False, and why, a line for people: it is not
 * permitted, or there is no room. */
bool switch_events_open(struct switch_events *events, pid_t pid, char why[static 160]);
/* For a process that runs already. A thread that is begun just now, by one that was not reached yet, may be missing: nothing is known of a
 * thread before there is an event of it. */
bool switch_events_open_running(struct switch_events *events, pid_t pid, char why[static 160]);
void switch_events_close(struct switch_events *events);

/* Takes all events up to a moment that is past. What happened before is complete then, even where a thread went from one CPU to another: an
 * event is in its buffer before the thread can run again. False: no memory, and some may be missing. */
bool switch_events_read(struct switch_events *events, uint64_t until_ns);

#endif
