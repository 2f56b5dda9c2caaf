/* jit: code that a process generated at run time, in memory without a file. In the trace, the code is a module with run-time
 * addresses. dwell writes the module at the first sample in the code, since programs that generate code map and protect memory ten
 * thousand times a minute. */
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

/* The generated code of a process. Zero the structure before the first use, clear it after the last. */
struct jit {
	struct jit_range {
		uint64_t low, high, ns;       /* ns: since when; 0: from the start */
		uint64_t written_low, written_high; /* the part in the trace; equal: none yet */
	} *ranges;
	size_t count, capacity;
	struct address_set addresses; /* sampled addresses */
	uint8_t id[JIT_ID_BYTES];     /* in place of a build-id: unique to the process, among all recordings */
	bool begun;                   /* id, owner and since are set: at the first sample in the code */
	uid_t owner;                  /* the user of the process */
	struct timespec since;        /* when the process began, CLOCK_REALTIME */
};

/* Whether a mapping's path is a text of the kernel that stands for memory without a file. */
bool jit_is_path(const char *path);
/* Adds a range of such code, and joins adjacent ranges. A known range changes nothing. False: no memory. */
bool jit_map(struct jit *jit, uint64_t low, uint64_t high, uint64_t ns);
/* Returns the range that contains all of [low, high); null: no such range. Valid until the next jit_map or jit_unmap. */
const struct jit_range *jit_find(const struct jit *jit, uint64_t low, uint64_t high);
/* Removes a range, since a file is mapped there now. False: no memory. */
bool jit_unmap(struct jit *jit, uint32_t process, uint64_t low, uint64_t high, uint64_t ns, struct trace_writer *writer);
/* Notes an address with a sample. begin_ns: when dwell noticed the process, CLOCK_MONOTONIC. False: the address is not in generated
 * code. */
bool jit_note(struct jit *jit, uint32_t process, uint32_t pid, uint64_t begin_ns, uint64_t address, struct trace_writer *writer);
void jit_clear(struct jit *jit);

#endif
