/* perf_set: samples by the kernel, for a process with all threads and future child processes, in order of time.
 *
 * Each CPU has one event with a buffer, which only reports mappings, starts and ends. The CPU's samplers, events with different
 * periods, sample into the same buffer. One sampler is on at a time. At random moments perf_set_turn_samplers turns another sampler
 * on. An event that is off keeps the rest of its period. So samples come at random distances, and never stay in step with a program
 * of
 * a similar period. (Why not change the period of one event: a new period does not reach threads that inherited the event; turning
 * the event on and off does.)
 *
 * The samplers copy different amounts of the stack: much for programs with deep frames; little if this process gets a processor so
 * seldom that the buffers would fill up. */
#ifndef DWELL_HOST_SAMPLE_PERF_PERF_SET_H
#define DWELL_HOST_SAMPLE_PERF_PERF_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "dwell/format.h"
#include "sample/perf/perf_record.h"

struct perf_set_options {
	double hz;   /* samples per second of CPU time, on average */
	bool leaf;   /* no stacks */
};

struct perf_set;
/* Makes the events for a process that runs already, or (running false) for a process with one thread, which waits before it calls
 * exec: then sampling begins with the program. Null, and why, for people: not permitted, or no room. */
struct perf_set *make_perf_set(const struct perf_set_options *options, pid_t pid, bool running, char why[static 160]);
void free_perf_set(struct perf_set *set);

enum dwell_sampling_engine perf_set_get_engine(const struct perf_set *set);
bool perf_set_has_kernel(const struct perf_set *set);

/* Adds a thread of a process that ran before make_perf_set. Do not add a thread started since then by a thread of the set: the new
 * thread inherits the events. False and errno. */
bool perf_set_add_thread(struct perf_set *set, pid_t tid);
bool perf_set_has_thread(const struct perf_set *set, pid_t tid);

/* 0, or the bytes of each CPU's buffer, if the system lets dwell lock less memory than a second of samples takes. */
uint64_t perf_set_get_shrunk(const struct perf_set *set);
/* Ends sampling; perf_set_next still returns the samples so far. */
void perf_set_stop(struct perf_set *set);
/* Samples without room, as counted by the kernel; 0 if the kernel does not count (before Linux 6.0). */
uint64_t perf_set_get_lost(const struct perf_set *set);
/* The number of malformed records, for which the record, or all of the buffer, was left out. */
uint64_t perf_set_get_damaged(const struct perf_set *set);

/* Turns another event on, if the current one was on long enough, or if copies of the stack need another size. large: copy much of
 * the stack, if the buffers have room for the samples of late_ns, the expected lateness of this process. Returns the nanoseconds
 * until the next turn is due, or a buffer may be half full. */
uint64_t perf_set_turn_samplers(struct perf_set *set, bool large, uint64_t late_ns, uint64_t now_ns);

/* Takes the next record from before until_ns, which must be past. False: none. */
bool perf_set_next(struct perf_set *set, uint64_t until_ns, struct perf_record *record);
#endif
