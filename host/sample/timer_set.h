/* timer_set: a program's samples of itself, by timers of a preloaded library (target/sampler), where the kernel refuses perf
 * events. The samples become records of the same kinds as perf_set.h gives.
 *
 * The program can write anything into the shared memory, so dwell checks all values there. */
#ifndef DWELL_HOST_SAMPLE_TIMER_SET_H
#define DWELL_HOST_SAMPLE_TIMER_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/perf/perf_set.h"

struct timer_set;
/* Call it before the program starts. Null, and why, for people: no memory. */
struct timer_set *make_timer_set(const struct perf_set_options *options, char why[static 160]);
void free_timer_set(struct timer_set *set);
/* The name for the program's environment (record/program/launch.h). */
const char *timer_set_get_name(const struct timer_set *set);

/* Ends sampling; timer_set_next still returns the samples so far. */
void timer_set_stop(struct timer_set *set);
/* Sets how much of each stack to copy. large: more than usual, if there is
 * room for the samples of late_ns, the expected lateness of this process. */
void timer_set_choose_copy(struct timer_set *set, bool large, uint64_t late_ns);

/* Samples that the library lost for lack of room in the shared memory. */
uint64_t timer_set_get_lost(const struct timer_set *set);
/* Malformed records, and counters with impossible values. */
uint64_t timer_set_get_damaged(const struct timer_set *set);
/* Number of threads, processes and mappings that the library could not report, for lack of room in the shared memory. */
uint64_t timer_set_get_unreported(const struct timer_set *set);
/* The number of processes with the library; 0: no process has loaded it. */
uint64_t timer_set_get_processes(const struct timer_set *set);
/* Threads without a timer, since the system gave none. */
uint64_t timer_set_get_timerless(const struct timer_set *set);
/* Whether a process may still report: a forked process has not reported, or timer_set_next has not taken the report. Returns true
 * for a second at most, counted from the first call with such a process. */
bool timer_set_awaits_reports(struct timer_set *set, uint64_t now_ns);

/* See perf_set_next. */
bool timer_set_next(struct timer_set *set, uint64_t until_ns, struct perf_record *record);

#endif
