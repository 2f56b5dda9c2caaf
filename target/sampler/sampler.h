/* SPDX-License-Identifier: MIT
 *
 * libdwell-timer.so: samples a program from within, for `dwell record` where the kernel gives no perf events.
 * Preloaded, never linked.
 *
 *     begin.c    the process: joins the shared memory, records itself and its forks
 *     thread.c   a thread: its timers, from its first instruction to its last
 *     schedule.c     the signal handler: when to look again, whether a look is a sample, what the sample weighs
 *     sample.c   copies a thread's registers and stack
 *     numbers.c  record's numbers of processes and threads, and its clock
 *     maps.c     which code is mapped, also later
 *     records.c     claims a record and fills it in
 *     waits.c    waits that a signal would end too early
 *     signal_stack.c     a stack of its own for the handler
 *     signals.c  keeps the signal for the sampler, and emulates the program's own use of it
 *
 * In handlers, nothing here calls libc or waits for a lock. Memory comes only from mmap, when a thread is started. errno stays
 * untouched: system calls are made directly.
 */
#ifndef DWELL_TARGET_SAMPLER_SAMPLER_H
#define DWELL_TARGET_SAMPLER_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/shared.h"

#define HIDDEN __attribute__((visibility("hidden")))
#define EXPORTED __attribute__((visibility("default")))

struct sampler {
	struct dwell_sampler *shared; /* null: do not sample */
	/* Copies of members of *shared, which any process may overwrite: a period of 0 would be a storm of signals.
	 * data_bytes: a power of two. */
	uint64_t data_bytes, period_ns;
	/* The number of the process in its own PID namespace, and in record's. */
	uint32_t pid, number;
	int64_t clock_ahead_ns; /* the process's monotonic clock − record's: not 0 only in a time namespace */
	bool cpu_timer_suffices; /* the period is at least the kernel's tick, so the timer on CPU time suffices */
	uint64_t tick_ns;
};
extern struct sampler sampler HIDDEN;

enum { SAMPLER_WALL, SAMPLER_CPU, SAMPLER_CLOCKS };

/* Zero before the thread begins, and if it cannot be sampled. */
struct sampler_thread {
	uint32_t tid, number; /* the thread's number in its PID namespace, and in record's */
	bool has[SAMPLER_CLOCKS];
	int timers[SAMPLER_CLOCKS]; /* the kernel's timer numbers */
	uint64_t random;
	/* Mean of the distribution from which the distance to the next look was drawn: the weight of the next sample, before
	 * corrections. */
	uint64_t distance_ns;
	uint64_t due_ns;      /* when the wall timer fires; 0: not set yet */
	uint64_t cpu_ns;      /* CPU time of the thread when it began */
	uint64_t weights_ns;  /* sum of the weights of all its samples */
	uint64_t switches;    /* how often it had left a processor at the last look */
	/* When a look first found the thread waiting, unless the thread has run since; 0: the thread runs. */
	uint64_t idle_ns;
	uint32_t samples;
	/* The thread is in one of the waits of waits.c: the signal comes at the end of the wait. */
	bool in_wait;
	char name[DWELL_SAMPLER_NAME_BYTES];
};
extern __thread struct sampler_thread sampler_this_thread __attribute__((tls_model("initial-exec"))) HIDDEN;

/* thread.c: begins or ends sampling of the running thread: makes its timers, or deletes them. Any thread, once; not in a handler,
 * except thread_end when the recording is over. Some system calls. */
void thread_begin(void) HIDDEN;
void thread_end(void) HIDDEN;
/* Sets the timer to fire after ns, instead of when it would have. Any thread, any handler; a system call. */
void thread_arm(const struct sampler_thread *thread, int clock, uint64_t ns) HIDDEN;
/* Return the running thread's CPU time, and how often it left a processor. Any handler; one system call each. */
uint64_t thread_cpu_ns(void) HIDDEN;
uint64_t thread_switches(void) HIDDEN;
/* Begins the thread of a forked child, whose copied timers are the parent's. */
void thread_begin_child(void) HIDDEN;

/* numbers.c: sets the numbers and the clock of the running process. Any thread, no handler; some system calls. */
void numbers_begin(void) HIDDEN;
/* Returns record's number of the running thread. Any thread, any handler; at most a system call. */
uint32_t numbers_thread(uint32_t tid) HIDDEN;

/* schedule.c: handles a timer's signal; context is the kernel's ucontext. In the handler. */
void schedule_on_timer(int clock, void *context) HIDDEN;
/* Sets the timer for the first look of a thread. */
void schedule_begin(struct sampler_thread *thread) HIDDEN;

/* sample.c: records one sample with this weight. In the handler; copies only the readable part of the stack, and never faults. */
void sample_take(uint64_t weight_ns, uint64_t now_ns, const void *context) HIDDEN;
/* Whether the thread was waiting in the kernel when the signal came. */
bool sample_was_waiting(const void *context) HIDDEN;
uint64_t sample_get_pc(const void *context) HIDDEN;

/* maps.c: records code that was mapped since the last call, with the time now_ns. False: another thread is reading the mappings.
 * Any thread; some tens of microseconds. */
bool maps_append(uint64_t now_ns) HIDDEN;
/* Calls maps_append if the running thread was interrupted at a pc in unknown code, or in a library that has replaced a known
 * library. For unknown code, reading the mappings takes at most a fiftieth of the time (AGAIN_PART in maps.c). Any thread, any
 * handler. */
void maps_check(uint64_t pc, uint64_t now_ns) HIDDEN;

/* records.c: writes a record of several parts. Any thread, any handler; a record without room is counted. */
struct record_part {
	const void *data;
	uint32_t bytes;
};
void records_append(enum dwell_sampler_kind kind, uint64_t now_ns, const struct record_part *parts, unsigned count) HIDDEN;

/* signals.c: signals_find_originals finds the interposed functions' originals, at the start, also without sampling;
 * signals_begin installs the handler. */
void signals_find_originals(void) HIDDEN;
void signals_begin(void) HIDDEN;
/* Unblocks the signal in the running thread. */
void signals_unblock(void) HIDDEN;

/* signal_stack.c: gives the running thread a signal stack unless it has one; takes that away, before the thread ends. Any thread,
 * any handler; some system calls. */
void signal_stack_begin(void) HIDDEN;
void signal_stack_end(void) HIDDEN;
/* Finds the original of the interposed function. At the start, also without sampling. */
void signal_stack_find_original(void) HIDDEN;

/* waits.c: finds the originals of the interposed waits. At the start, also without sampling. */
void waits_begin(void) HIDDEN;

#endif
