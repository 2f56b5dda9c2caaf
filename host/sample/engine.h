/* engine: samples by the kernel's perf events (perf_set.h), or by timers within the program if the system refuses perf events
 * (timer_set.h). Sampling takes the records of either from here. */
#ifndef DWELL_HOST_SAMPLE_ENGINE_H
#define DWELL_HOST_SAMPLE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sample/perf/perf_set.h"
#include "sample/timer_set.h"

/* The user's choice. ENGINE_ANY: perf events, or timers if the system refuses perf events. */
enum engine_choice { ENGINE_ANY, ENGINE_PERF, ENGINE_TIMER };

/* Zero it before the first use; clear it after the last. */
struct engine {
	struct perf_set *perf;    /* perf events, if the engine uses them; otherwise null */
	struct timer_set *timers; /* timers, if the engine uses them; otherwise null */
	char why[160];            /* why perf events or timers cannot be used, for people; empty: nothing failed so far */
	/* Set when the engine starts or is attached. */
	enum dwell_sampling_engine kind;
	bool has_kernel; /* samples include time in the kernel; with timers, at the place of the system call */
	uint64_t shrunk; /* 0, or as perf_set_get_shrunk */
};

/* Call the function before a program starts. Prepares the timers, if the engine may use timers.
 * *name: the name of the timers' memory for the program's environment (launch.h); null: the engine uses no timers.
 * False: no memory for the timers, which ENGINE_ANY needs, too; why has the reason. */
bool engine_prepare(struct engine *engine, const struct perf_set_options *options, enum engine_choice choice, const char **name);
/* Call the function when the program waits to be started. is_bare: the program needs no agent.
 * False: dwell cannot sample the program; why has the reason. */
bool engine_start(
	struct engine *engine, const struct perf_set_options *options, enum engine_choice choice, pid_t pid, bool *is_bare);
/* For a running process: perf events only. False: why has the reason. */
bool engine_attach(struct engine *engine, const struct perf_set_options *options, enum engine_choice choice, pid_t pid);
void engine_clear(struct engine *engine);

/* These do what the functions of the same names in perf_set.h and timer_set.h do. engine_turn_samplers returns the
 * nanoseconds until its next call is due; with timers it only chooses how much of the stacks to copy.
 * With perf events, engine_awaits_reports returns false. pre: the engine has started. */
uint64_t engine_turn_samplers(struct engine *engine, bool large, uint64_t late_ns, uint64_t now_ns);
bool engine_next(struct engine *engine, uint64_t until_ns, struct perf_record *record);
void engine_stop(struct engine *engine);
uint64_t engine_get_lost(const struct engine *engine);
uint64_t engine_get_damaged(const struct engine *engine);
bool engine_awaits_reports(struct engine *engine, uint64_t now_ns);

#endif
