/* perf_open: the events that perf_set is made of, and why they cannot be had. */
#ifndef DWELL_HOST_SAMPLE_PERF_PERF_OPEN_H
#define DWELL_HOST_SAMPLE_PERF_PERF_OPEN_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What may be had of this kernel, machine and user. */
struct perf_kind_of_event {
	bool is_cycles;      /* else the kernel's clock of a thread's CPU time */
	uint32_t precise;    /* of cycles */
	bool has_kernel;     /* samples in the kernel, too */
};

struct perf_open_sampler {
	double hz;
	uint32_t stack_bytes; /* 0: neither stack nor registers */
};

/* Nanoseconds between samples. */
uint64_t perf_open_period(double hz);
/* Finds out what may be had, for that process. False and errno: nothing. */
bool perf_open_choose(struct perf_kind_of_event *kind, pid_t pid);
/* An event that tells of mappings, threads and processes. */
int perf_open_teller(const struct perf_kind_of_event *kind, pid_t pid, int cpu, bool on_exec);
/* One that samples, turned off; on_exec: until the process becomes another program. −1 and errno. */
int perf_open_sampler(
	const struct perf_kind_of_event *kind, const struct perf_open_sampler *sampler, pid_t pid, int cpu, bool on_exec);

#endif
