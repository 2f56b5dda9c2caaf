/* jit: code that a process made while it ran, in memory of no file. It is a module of its own in the trace, by run-time addresses, told
 * when the first sample is in it: programs that make code map and protect memory ten thousand times a minute. */
#ifndef DWELL_HOST_SAMPLE_CODE_JIT_H
#define DWELL_HOST_SAMPLE_CODE_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "record/sink/address_set.h"
#include "writer/trace/dwell.h"

#define JIT_ID_BYTES 16u

/* Of one process. Zero it before the first use, clear it after the last. */
struct jit {
	struct jit_range {
		uint64_t low, high, ns;       /* since when, 0: from the start */
		uint64_t told_low, told_high; /* equal: it is not told yet */
	} *ranges;
	size_t count, capacity;
	struct address_set addresses; /* that were sampled */
	uint8_t id[JIT_ID_BYTES];     /* in place of a build-id: tells this process's from those of all others, in other recordings, too */
	bool begun;
	uid_t owner;                  /* whom the process belongs to */
	struct timespec since;        /* when it began, CLOCK_REALTIME */
};

/* Whether the system calls code so that is in no file, by what it says in place of a path. */
bool jit_is_path(const char *path);
/* There is such code. What is known already changes nothing. False: no memory. */
bool jit_map(struct jit *jit, uint64_t low, uint64_t high, uint64_t ns);
/* The range that it is all in. Null: there is none. Valid until something is mapped. */
const struct jit_range *jit_find(const struct jit *jit, uint64_t low, uint64_t high);
/* A file is there now. False: no memory. */
bool jit_unmap(struct jit *jit, uint32_t process, uint64_t low, uint64_t high, uint64_t ns, struct trace_writer *writer);
/* The address was sampled. begin_ns: when the process was noticed, CLOCK_MONOTONIC. False: it is in no such code. */
bool jit_note(struct jit *jit, uint32_t process, uint32_t pid, uint64_t begin_ns, uint64_t address, struct trace_writer *writer);
void jit_clear(struct jit *jit);

#endif
