/* perf_open: opens the events of a perf_set, and finds out which events the system allows. */
#ifndef DWELL_HOST_SAMPLE_PERF_PERF_OPEN_H
#define DWELL_HOST_SAMPLE_PERF_PERF_OPEN_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The events allowed to this user, by this kernel and machine. */
struct perf_kind_of_event {
	bool is_cycles;      /* false: the kernel's clock of a thread's CPU time */
	uint32_t precise;    /* how exact the place of a sample is, with cycles (perf_event_attr.precise_ip) */
	bool has_kernel;     /* also samples the kernel */
};

/* The properties of one event that samples. */
struct perf_open_sampler {
	double hz;            /* samples per second of CPU time */
	uint32_t stack_bytes; /* 0: neither stack nor registers */
};

/* The time between two samples at this rate, in nanoseconds of CPU time. */
uint64_t perf_open_period(double hz);
/* Finds the best events allowed for the process. False and errno: none. */
bool perf_open_choose(struct perf_kind_of_event *kind, pid_t pid);
/* Opens an event that reports mappings, threads and processes. −1 and errno: refused. */
int perf_open_tracker(const struct perf_kind_of_event *kind, pid_t pid, int cpu, bool on_exec);
/* Opens an event that samples; the event is off. on_exec: the kernel
 * turns it on when the process calls exec. −1 and errno: refused. */
int perf_open_sampler(
	const struct perf_kind_of_event *kind, const struct perf_open_sampler *sampler, pid_t pid, int cpu, bool on_exec);

#endif
