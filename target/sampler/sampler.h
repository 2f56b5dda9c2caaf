/* SPDX-License-Identifier: MIT
 *
 * libdwell-timer.so: samples a program from within, for `dwell record` where the kernel gives no perf events. Preloaded, never linked.
 *
 *     begin.c    the process: joins what record shares, tells of itself, of its forks
 *     thread.c   a thread: its timers, from its first instruction to its last
 *     look.c     the signal handler: when to look again, whether it is a sample, what it weighs
 *     sample.c   what is copied of a thread
 *     maps.c     what code is mapped, also later
 *     tell.c     claims a record, fills it in
 *     waits.c    waits that a signal would end too early
 *     signals.c  keeps the signal for us, and the program's own use of it right
 *     real.c     the functions that stand behind those that are interposed
 *
 * Nothing here calls libc from a handler, takes a lock that it waits for, or takes memory but by mmap when a thread begins. errno is never
 * touched: system calls are made directly.
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
	struct dwell_sampler *shared; /* null: nobody wants samples */
	uint64_t data_bytes; /* of the shared memory, a power of two: a copy, since anybody may change it there */
	uint32_t pid;
	bool by_cpu; /* the period is as long as the kernel's tick, or longer: the clock of CPU time alone will do */
	uint64_t tick_ns;
};
extern struct sampler sampler HIDDEN;

enum { SAMPLER_WALL, SAMPLER_CPU, SAMPLER_CLOCKS };

/* Zero before the thread begins, and where it cannot be sampled. */
struct sampler_thread {
	uint32_t tid;
	bool has[SAMPLER_CLOCKS];
	int timers[SAMPLER_CLOCKS]; /* the kernel's numbers */
	uint64_t random;
	uint64_t distance_ns; /* mean of what the next one was drawn from: what it stands for */
	uint64_t due_ns;      /* when the wall timer will send its signal; 0: not set yet */
	uint64_t cpu_ns;      /* of the thread, when it began */
	uint64_t weights_ns;  /* of all its samples */
	uint64_t switches;    /* so often it left a processor, by the last look */
	uint64_t idle_ns;     /* since when it is found waiting, and has not been seen to run again; 0: it was running */
	uint32_t samples;
	bool held;            /* it is in a wait of those in waits.c: the signal comes when that is over */
	char name[DWELL_SAMPLER_NAME_BYTES];
};
extern __thread struct sampler_thread sampler_this_thread __attribute__((tls_model("initial-exec"))) HIDDEN;

/* thread.c: gives the running thread its timers, or takes them. Any thread, once; no handler. Some system calls. */
void thread_begin(void) HIDDEN;
void thread_end(void) HIDDEN;
/* Sends the signal after so long, instead of when it would have. Any thread, any handler; a system call. */
void thread_arm(const struct sampler_thread *thread, int clock, uint64_t ns) HIDDEN;
/* The running thread's. Any handler; one system call each. */
uint64_t thread_cpu_ns(void) HIDDEN;
uint64_t thread_switches(void) HIDDEN;
/* In a forked child: the timers are the parent's. */
void thread_begin_child(void) HIDDEN;

/* look.c: a timer has sent its signal; context is the kernel's ucontext. In the handler. */
void look(int clock, void *context) HIDDEN;
/* The first look of a thread. */
void look_begin(struct sampler_thread *thread) HIDDEN;

/* sample.c: one sample of that weight. In the handler; copies of the stack what can be read, and never faults. */
void sample_take(uint64_t weight_ns, uint64_t now_ns, const void *context) HIDDEN;
/* Whether the thread was waiting in the kernel when the signal came. */
bool sample_was_waiting(const void *context) HIDDEN;
uint64_t sample_get_pc(const void *context) HIDDEN;

/* maps.c: tells what code is mapped that was not told yet; now: since when, as far as is known. False: another thread does. Any thread;
 * some tens of microseconds. */
bool maps_tell(uint64_t now_ns) HIDDEN;
/* The same where pc, of a thread that is stopped there, is in nothing that is known, or in a library that has come in the place of a known
 * one; now and then. Any thread, any handler. */
void maps_look(uint64_t pc, uint64_t now_ns) HIDDEN;

/* tell.c: a record of several parts. Any thread, any handler; where there is no room it is counted. */
struct tell_part {
	const void *data;
	uint32_t bytes;
};
void tell(enum dwell_sampler_kind kind, uint64_t now_ns, const struct tell_part *parts, unsigned count) HIDDEN;

/* signals.c: finds the functions that stand behind, at start, whether anybody wants samples or not; and puts the handler in place. */
void signals_find(void) HIDDEN;
void signals_begin(void) HIDDEN;
/* The signal does not wait for the running thread to let it through. */
void signals_let_through(void) HIDDEN;

/* waits.c: finds the functions that stand behind. At start, whether anybody wants samples or not. */
void waits_begin(void) HIDDEN;

#endif
