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
#include "unwind/unwind.h"

struct perf_set_options {
	double hz;   /* samples a second of CPU time, on average */
	bool fixed;  /* at even distances */
	bool leaf;   /* no stacks */
	bool pointers; /* the kernel follows the frame pointers, and copies little of the stack: what leads to the first of them */
};

enum perf_kind { PERF_SAMPLE, PERF_MAP, PERF_THREAD, PERF_PROCESS, PERF_THREAD_END, PERF_NAME, PERF_EXEC, PERF_LOST, PERF_THROTTLED };

#define PERF_TIMER_NONE 0u

/* What happened. Pointers are valid until the next one is asked for. */
struct perf_record {
	enum perf_kind kind;
	uint64_t ns; /* CLOCK_MONOTONIC */
	uint32_t pid, tid;
	union {
		struct {
			uint64_t ip, period;
			uint64_t timer; /* the kernel's number of the event; PERF_TIMER_NONE: it is no timer, or begins at no full period */
			bool beside; /* one of the few at random moments beside those at even distances: not to be counted */
			bool in_kernel, has_registers;
			bool in_interrupt; /* the kernel handled one (interrupts.h): not to be counted */
			struct unwind_registers registers; /* in user space */
			struct unwind_stack stack;
			struct unwind_chain chain; /* none: nobody asked for it */
			struct unwind_chain kernel_chain; /* none: it was not there, or is not seen */
		} sample;
		struct {
			uint64_t low, high, offset; /* in the file */
			const char *path;
			uint8_t build_id[20];
			uint32_t build_id_bytes;
		} map;
		uint32_t parent_pid;  /* PERF_PROCESS */
		const char *name;     /* PERF_NAME, PERF_EXEC */
		uint64_t lost;        /* PERF_LOST */
	};
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

/* Another event is on from now on; large: one that copies much of the stack. Returns how long it should stay, in nanoseconds. With fixed
 * the same one stays on, and another one is on beside it in some of the turns (rhythm.h); perf_set_is_beside: in this one. */
uint64_t perf_set_turn(struct perf_set *set, bool large);
bool perf_set_is_beside(const struct perf_set *set);

/* The next record that happened before a moment that is past. False: none. */
bool perf_set_next(struct perf_set *set, uint64_t until_ns, struct perf_record *record);
/* The next process that began, of those that perf_set_next will give later, too: at once, and in no order. Each is told once. */
bool perf_set_look(struct perf_set *set, struct perf_record *record);

/* The two distances that samples come at in turns, parts of their mean: 0 or 1. A program with such a period is in step with them for a
 * turn. */
double perf_set_get_distance(uint32_t which);

#endif
