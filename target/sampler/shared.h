/* SPDX-License-Identifier: MIT
 *
 * The memory that `dwell record` shares with programs sampled from within, by timers (libdwell-timer.so): a page of words, a table
 * of records, and a ring of bytes with the records' data.
 *
 *     header page · records (DWELL_SAMPLER_RECORDS × 64 bytes) · data (a power of two)
 *
 * The environment passes the memory's name to the program, as for a recording (DWELL_SESSION=/proc/PID/fd/N).
 *
 * Many processes write, in signal handlers, and one reads. A writer claims the next record and room for its data by one
 * compare-exchange of head, the word with both counts; fills in the data, and then marks the record as ready. So a writer killed at
 * any instruction only leaves a record, of a dead thread, that is never ready: the reader skips it. Counts rise for ever, modulo
 * 2^32: so a ready record differs from a record of the last lap.
 */
#ifndef DWELL_TARGET_SAMPLER_SHARED_H
#define DWELL_TARGET_SAMPLER_SHARED_H

#include <stdint.h>

#define DWELL_SAMPLER_MAGIC UINT64_C(0x3172656c706d6173)
#define DWELL_SAMPLER_VERSION 2u
#define DWELL_SAMPLER_PAGE 4096u
#define DWELL_SAMPLER_RECORDS 8192u
#define DWELL_SAMPLER_UNIT 64u /* bytes; writers claim room for data in multiples of it */
#define DWELL_SAMPLER_PATH_MAX 4096u
#define DWELL_SAMPLER_NAME_BYTES 16u
#define DWELL_SAMPLER_PERIOD_MIN_NS 50000u
#define DWELL_SAMPLER_PERIOD_MAX_NS 1000000000u
#define DWELL_SAMPLER_STACK_BYTES_MAX 49152u

/* The signal of the timers: hardly any program uses it, and no other profiler does. */
#define DWELL_SAMPLER_SIGNAL 61

struct dwell_sampler {
	uint64_t magic;
	uint32_t version;
	uint32_t owner_pid;
	uint64_t data_bytes;
	uint64_t period_ns;            /* mean CPU time of a thread between two samples */
	int64_t clock_offset_ns;       /* monotonic offset of the owner's time namespace */
	volatile uint32_t stack_bytes; /* copy at most so many bytes of a stack; 0: none */
	volatile uint32_t closed;      /* 1: stop sampling */
	volatile uint64_t head;        /* records claimed << 32 | units of data claimed */
	volatile uint64_t tail;        /* as head, for records and data already read */
	volatile uint64_t lost;        /* samples without room */
	volatile uint64_t lost_reports;   /* records of other kinds without room */
	volatile uint64_t processes;   /* processes sampled */
	volatile uint64_t timerless;   /* threads without a timer */
	volatile uint64_t forks;       /* forks begun */
	volatile uint64_t forks_reported;  /* forks whose child has begun to run */
};

enum dwell_sampler_kind {
	DWELL_SAMPLER_BEGIN = 1, /* a program begins in a process, or continues in a forked child: struct dwell_sampler_begin */
	DWELL_SAMPLER_MAP,       /* code was mapped: struct dwell_sampler_map, path */
	DWELL_SAMPLER_THREAD,    /* a thread begins: its name */
	DWELL_SAMPLER_THREAD_END,
	DWELL_SAMPLER_NAME,      /* the thread's new name */
	DWELL_SAMPLER_SAMPLE,    /* struct dwell_sampler_sample, then stack_bytes of the stack */
};

struct dwell_sampler_record {
	volatile uint32_t claimed; /* the record's number, from 1, once the members below are valid */
	volatile uint32_t ready;   /* the record's number, once the data are valid, too */
	uint32_t pid, tid;
	uint32_t kind;             /* enum dwell_sampler_kind */
	uint32_t bytes;
	uint32_t unit;             /* start of the data, in units, modulo the ring */
	uint32_t units;
	uint64_t ns;               /* CLOCK_MONOTONIC in the owner's time namespace */
	uint64_t unused[3];
};

struct dwell_sampler_begin {
	/* parent_pid: 0 if unknown. forked: 1 in the child of a sampled process, 0 where exec has begun the program. */
	uint32_t parent_pid, forked;
	char name[DWELL_SAMPLER_NAME_BYTES];
};

struct dwell_sampler_map {
	uint64_t low, high, offset; /* the file from offset on is mapped at [low, high) */
};

/* Registers by their numbers in unwind tables; an unknown register is 0, and has no bit in known. */
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
