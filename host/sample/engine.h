/* engine: what samples are taken by: the kernel's perf events, or, where these are refused, timers from within the program. */
#ifndef DWELL_HOST_SAMPLE_ENGINE_H
#define DWELL_HOST_SAMPLE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sample/perf/perf_set.h"
#include "sample/timer_set.h"

enum engine_choice { ENGINE_ANY, ENGINE_PERF, ENGINE_TIMER };

/* Zero it before the first use; clear it after the last. */
struct engine {
	struct perf_set *perf;    /* the one that it is … */
	struct timer_set *timers; /* … is not null */
	char why[160];            /* perf events are refused, for people; empty: they are not, or nobody asked */
};

/* Before a program is started: where timers may be used, what they need is made ready, and its name for the environment (launch.h) is
 * returned; null: they may not. False: nothing will do, and why. */
bool engine_prepare(struct engine *engine, const struct perf_set_options *options, enum engine_choice choice, const char **name);
/* When it waits to be started. False: it cannot be sampled, and why. is_bare: and it needs no agent. */
bool engine_start(struct engine *engine, const struct perf_set_options *options, enum engine_choice choice, pid_t pid, bool *is_bare);
/* A process that runs: perf events only. False, and why. */
bool engine_attach(struct engine *engine, const struct perf_set_options *options, enum engine_choice choice, pid_t pid);
void engine_clear(struct engine *engine);

enum dwell_sampling_engine engine_get_kind(const struct engine *engine);
/* Whether time in the kernel is in samples; of timers, at the place that called it. */
bool engine_has_kernel(const struct engine *engine);

/* As those of perf_set.h and timer_set.h. */
uint64_t engine_turn(struct engine *engine, bool large);
bool engine_next(struct engine *engine, uint64_t until_ns, struct perf_record *record);
void engine_stop(struct engine *engine);
uint64_t engine_get_lost(const struct engine *engine);
uint64_t engine_get_damaged(const struct engine *engine);
uint64_t engine_get_shrunk(const struct engine *engine);
bool engine_expects(struct engine *engine, uint64_t now_ns);

#endif
