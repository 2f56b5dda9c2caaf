/* profiled: the threads of a program that is profiled, and processes as soon as they begin. */
#ifndef DWELL_HOST_SAMPLE_PROFILED_H
#define DWELL_HOST_SAMPLE_PROFILED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/code/own_text.h"

struct profiled_thread {
	uint32_t tid;
	uint64_t last; /* where its last sample was: an offset in the text, or OWN_TEXT_OUTSIDE */
};

/* Zero it before the first use, clear it after the last. */
struct profiled {
	struct profiled_thread *threads; /* that have a sample, and have not ended */
	size_t thread_count, thread_capacity, latest;
	uint64_t sampled; /* so many threads ever had one */
	uint32_t *young;  /* processes that were seen to begin, and of which own_text.h does not know yet */
	size_t young_count, young_capacity;
};

/* Null: it has no sample yet. Valid until the next call. */
struct profiled_thread *profiled_find(struct profiled *profiled, uint32_t tid);
/* Made when it is new. Null: no memory. */
struct profiled_thread *profiled_take(struct profiled *profiled, uint32_t tid);
void profiled_end(struct profiled *profiled, uint32_t tid);

/* A process has begun; and is known to own_text.h from now on, or has ended. */
void profiled_begin_process(struct profiled *profiled, uint32_t pid);
void profiled_settle_process(struct profiled *profiled, uint32_t pid);
/* Up to max of those that live, the youngest first, as the others may well wait for them. Some may have ended lately. */
size_t profiled_list(const struct profiled *profiled, const struct own_text *text, uint32_t *pids, size_t max);
void profiled_clear(struct profiled *profiled);

#endif
