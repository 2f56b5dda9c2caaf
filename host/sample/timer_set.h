/* timer_set: samples that a program takes of itself, by timers of a library that is preloaded (target/sampler), where the kernel gives no
 * perf events; as records of the same kinds that those give (perf_set.h).
 *
 * Nothing that comes out of the shared memory is believed: the program can write into it what it likes. */
#ifndef DWELL_HOST_SAMPLE_TIMER_SET_H
#define DWELL_HOST_SAMPLE_TIMER_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/perf/perf_set.h"

struct timer_set;
/* Before the program is started. Null, and why, for people: there is no memory. */
struct timer_set *make_timer_set(const struct perf_set_options *options, char why[static 160]);
void free_timer_set(struct timer_set *set);
/* For the program's environment (record/launch.h). */
const char *timer_set_get_name(const struct timer_set *set);

/* No more samples; those that were taken can still be asked for. */
void timer_set_stop(struct timer_set *set);
/* large: more is to be copied of stacks. */
void timer_set_choose_copy(struct timer_set *set, bool large);

uint64_t timer_set_get_lost(const struct timer_set *set);
/* Records that made no sense. */
uint64_t timer_set_get_damaged(const struct timer_set *set);
/* What began, or was mapped, and found no room to be told of. */
uint64_t timer_set_get_untold(const struct timer_set *set);
/* Processes that take part, or did; 0: nobody has loaded the library. */
uint64_t timer_set_get_processes(const struct timer_set *set);
/* Threads that the system gave no timer. */
uint64_t timer_set_get_timerless(const struct timer_set *set);
/* Whether a process may be there that nobody knows of: it was forked and has not said so, or what it said was not taken yet
 * (timer_set_next). It is given a second from when this is asked first. */
bool timer_set_expects(struct timer_set *set, uint64_t now_ns);

/* As perf_set_next. */
bool timer_set_next(struct timer_set *set, uint64_t until_ns, struct perf_record *record);

#endif
