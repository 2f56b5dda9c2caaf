/* perf_record: what the kernel said happened, one record of its buffers. */
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
			bool in_kernel, has_registers;
			bool in_interrupt; /* the kernel handled one (interrupts.h): not to be counted */
			struct unwind_registers registers; /* in user space */
			struct unwind_stack stack;
			struct perf_chain kernel_chain; /* none: it was not there, or is not seen */
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

#endif
