/* perf_set: the kernel's samples of a process, of its threads and of all that it will ever start, in order of time.
 *
 * For each CPU there is one event that only tells what is mapped, started and ended, with a buffer; and some that sample into the same
 * buffer, of which one is on at a time. They have different periods; which one is on changes at random moments (perf_set_turn). A timer
 * that is turned off keeps what was left of its period, so samples come at random distances, and a program whose own period is near theirs
 * is not seen in step. (A new period that is set for an event does not reach the threads that inherited it. On and off does.)
 *
 * Some copy more of the stack than others, for programs with deep frames. */
#ifndef DWELL_HOST_SAMPLE_PERF_PERF_SET_H
#define DWELL_HOST_SAMPLE_PERF_PERF_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "dwell/format.h"
#include "sample/perf/perf_record.h"

struct perf_set_options {
	double hz;   /* samples a second of CPU time, on average */
	bool leaf;   /* no stacks */
};

struct perf_set;
/* Of a process that has one thread and waits before it becomes a program (running false: it begins with the program), or that runs. Null,
 * and why, for people: it is not permitted, or there is no room. */
struct perf_set *make_perf_set(const struct perf_set_options *options, pid_t pid, bool running, char why[static 160]);
void free_perf_set(struct perf_set *set);

enum dwell_sampling_engine perf_set_get_engine(const struct perf_set *set);
bool perf_set_has_kernel(const struct perf_set *set);

/* Of a process that ran already: one more of its threads, which no other has started since. False and errno. */
bool perf_set_add_thread(struct perf_set *set, pid_t tid);
bool perf_set_has_thread(const struct perf_set *set, pid_t tid);

/* 0, or the bytes of each CPU's buffer, where less memory may be locked than a quarter of a second of samples takes. */
uint64_t perf_set_get_shrunk(const struct perf_set *set);
/* No more samples; those that were taken can still be asked for. */
void perf_set_stop(struct perf_set *set);
/* Samples that found no room, by the kernel's own count; 0 where it has none, too (before Linux 6.0). */
uint64_t perf_set_get_lost(const struct perf_set *set);
/* So often a record made no sense, and it, or all that was in the buffer, was left out. */
uint64_t perf_set_get_damaged(const struct perf_set *set);

/* Another event is on from now on; large: one that copies much of the stack. Returns how long it should stay, in nanoseconds. */
uint64_t perf_set_turn(struct perf_set *set, bool large);

/* The next record that happened before a moment that is past. False: none. */
bool perf_set_next(struct perf_set *set, uint64_t until_ns, struct perf_record *record);
#endif
