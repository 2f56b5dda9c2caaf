/* SPDX-License-Identifier: MIT
 *
 * The memory that `dwell record` shares with programs that are sampled from within, by timers (libdwell-timer.so): a page of words, a
 * table of records, and a ring of bytes that the records' data is in.
 *
 *     header page · records (DWELL_SAMPLER_RECORDS × 64 bytes) · data (a power of two)
 *
 * Its name reaches the program in the environment, as that of a recording does (DWELL_SESSION=/proc/PID/fd/N).
 *
 * Many write, in signal handlers of many processes; one reads. Who writes claims the next record and room for its data by one
 * compare-exchange of head, in which both counts are; fills them in, and says that they are ready. So whoever is killed at whatever
 * instruction leaves a record that is never ready, of a thread that is gone, and nothing else: the reader passes it. Counts go on for
 * ever, modulo 2^32: what is ready is told from what was ready a lap ago.
 */
#ifndef DWELL_TARGET_SAMPLER_SHARED_H
#define DWELL_TARGET_SAMPLER_SHARED_H

#include <stdint.h>

#define DWELL_SAMPLER_MAGIC UINT64_C(0x3172656c706d6173)
#define DWELL_SAMPLER_VERSION 1u
#define DWELL_SAMPLER_PAGE 4096u
#define DWELL_SAMPLER_RECORDS 8192u
#define DWELL_SAMPLER_UNIT 64u /* of data */
#define DWELL_SAMPLER_PATH_MAX 4096u
#define DWELL_SAMPLER_NAME_BYTES 16u

/* The signal that the timers send: one that hardly anybody uses, and no other profiler does. */
#define DWELL_SAMPLER_SIGNAL 61

struct dwell_sampler {
	uint64_t magic;
	uint32_t version;
	uint32_t owner_pid;
	uint64_t data_bytes;
	uint64_t period_ns;            /* of a thread's CPU time, mean */
	volatile uint32_t stack_bytes; /* to copy of a stack, at most; 0: no stacks */
	volatile uint32_t closed;      /* no more */
	volatile uint64_t head;        /* records claimed << 32 | units of data claimed */
	volatile uint64_t tail;        /* likewise, read */
	volatile uint64_t lost;        /* samples that found no room */
	volatile uint64_t lost_told;   /* other records */
	volatile uint64_t processes;   /* that took part */
	volatile uint64_t timerless;   /* threads that got no timer */
	volatile uint64_t forks;       /* that were begun … */
	volatile uint64_t forks_told;  /* … and are over, as the parent or the child says */
};

enum dwell_sampler_kind {
	DWELL_SAMPLER_BEGIN = 1, /* a program begins in a process, or goes on in a forked one: struct dwell_sampler_begin */
	DWELL_SAMPLER_MAP,       /* code is mapped: struct dwell_sampler_map, path */
	DWELL_SAMPLER_THREAD,    /* a thread begins: its name */
	DWELL_SAMPLER_THREAD_END,
	DWELL_SAMPLER_NAME,      /* it has this name now */
	DWELL_SAMPLER_SAMPLE,    /* struct dwell_sampler_sample, its stack */
};

struct dwell_sampler_record {
	volatile uint32_t claimed; /* the how many-th record this is, from 1: the words up to bytes are right … */
	volatile uint32_t ready;   /* … and so is all else */
	uint32_t pid, tid;
	uint32_t kind;             /* enum dwell_sampler_kind */
	uint32_t bytes;
	uint32_t unit;             /* where its data begins, modulo the ring */
	uint32_t units;
	uint64_t ns;               /* CLOCK_MONOTONIC */
	uint64_t unused[3];
};

struct dwell_sampler_begin {
	uint32_t parent_pid, forked;
	char name[DWELL_SAMPLER_NAME_BYTES];
};

struct dwell_sampler_map {
	uint64_t low, high, offset;
};

/* Registers by the numbers that unwind tables use; those that are not known are 0, and have no bit. */
#define DWELL_SAMPLER_REGISTERS 32u
struct dwell_sampler_sample {
	uint64_t weight_ns;
	uint64_t pc, stack_pointer;
	uint32_t known, stack_bytes;
	uint64_t registers[DWELL_SAMPLER_REGISTERS];
};

_Static_assert(sizeof(struct dwell_sampler) <= DWELL_SAMPLER_PAGE, "sampler: header page");
_Static_assert(sizeof(struct dwell_sampler_record) == 64, "sampler: record");

#define DWELL_SAMPLER_DATA_OFFSET (DWELL_SAMPLER_PAGE + (uint64_t)DWELL_SAMPLER_RECORDS * sizeof(struct dwell_sampler_record))

static inline struct dwell_sampler_record *dwell_sampler_record(struct dwell_sampler *shared, uint32_t number)
{
	return (struct dwell_sampler_record *)((unsigned char *)shared + DWELL_SAMPLER_PAGE) + number % DWELL_SAMPLER_RECORDS;
}

static inline unsigned char *dwell_sampler_data(struct dwell_sampler *shared)
{
	return (unsigned char *)shared + DWELL_SAMPLER_DATA_OFFSET;
}

#endif
