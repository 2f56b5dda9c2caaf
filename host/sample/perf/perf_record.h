/* perf_record: one record about a sampled thread or process: decoded from the kernel's buffer (perf_decode.h), or from the memory
 * of the timers (timer_set.h). */
#ifndef DWELL_HOST_SAMPLE_PERF_PERF_RECORD_H
#define DWELL_HOST_SAMPLE_PERF_PERF_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/unwind.h"

/* The kernel's own callers, innermost first: 8 bytes each. */
struct perf_chain {
	const uint8_t *addresses;
	uint64_t count;
};

enum perf_kind {
	PERF_SAMPLE, PERF_MAP, PERF_THREAD, PERF_PROCESS, PERF_THREAD_END, PERF_NAME, PERF_EXEC, PERF_LOST, PERF_THROTTLED
};

#define PERF_TIMER_NONE 0u

/* A record. Its pointers are valid until the next record is taken. */
struct perf_record {
	enum perf_kind kind;
	uint64_t ns; /* CLOCK_MONOTONIC */
	uint32_t pid, tid;
	union {
		struct {
			uint64_t ip, period; /* ip: the innermost address; period: the sample's weight, in ns or cycles */
			uint64_t timer; /* the kernel's number of the event; PERF_TIMER_NONE: no extra weight (sampled_timers.h) */
			bool in_kernel, has_registers; /* has_registers: false also if they are not those of 64-bit code */
			bool is_bare; /* the record has no fields for registers and stack */
			bool in_interrupt; /* the kernel handled an interrupt (interrupts.h): do not count the sample */
			struct unwind_registers registers; /* in user space */
			struct unwind_stack stack;
			struct perf_chain kernel_chain; /* none: thread not in the kernel, or callers hidden */
		} sample;
		struct {
			uint64_t low, high, offset; /* low, high: addresses in the process; offset: in the file */
			const char *path;
			uint8_t build_id[20];
			uint32_t build_id_bytes;
			unsigned major, minor; /* without a build-id: the file's device */
			uint64_t inode;        /* without a build-id: the file's inode; 0: unknown */
		} map;
		uint32_t parent_pid;  /* PERF_PROCESS */
		const char *name;     /* PERF_NAME, PERF_EXEC */
		uint64_t lost;        /* PERF_LOST */
	};
};

#endif
