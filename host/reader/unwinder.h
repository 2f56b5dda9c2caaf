/* unwinder: finds callers in copies of stacks, for readers of formats that have such copies. Finding them needs the files of the
 * recorded programs, and readers open no files: the caller of a reader may give it an unwinder (struct reader_options). */
#ifndef DWELL_HOST_READER_UNWINDER_H
#define DWELL_HOST_READER_UNWINDER_H

#include <stdbool.h>
#include <stdint.h>

#include "dwell/format.h" /* enum dwell_sample_stack */
#include "util/bytes.h"

/* Code that a process mapped at run-time addresses [low, high). All pointers are borrowed. */
struct reader_mapping {
	uint64_t low, high, offset; /* offset: in the file */
	const char *path;
	const uint8_t *build_id;
	uint32_t build_id_bytes; /* 0: no build-id is known */
	bool is_generated;       /* the program generated the code: it is in no file */
};

/* The registers of a thread, and the innermost part of its stack, from the stack pointer on. */
struct reader_stack {
	uint64_t mask; /* bits: the registers, by the numbers of the kernel's perf events */
	const uint8_t *registers; /* a u64 for each bit of mask */
	struct bytes bytes;
};

struct reader_callers {
	const uint64_t *frames; /* run-time addresses, innermost first; valid until the next call */
	uint32_t count;         /* 0: not even the registers make sense */
	uint64_t signals; /* for i < 64, bit i is set if frames[i] is no return address; all later frames are return addresses */
	enum dwell_sample_stack state; /* never DWELL_STACK_LEAF */
};

struct reader_unwinder {
	/* machine: as in ELF. Null: stacks of the machine cannot be unwound, or no memory. */
	void *(*make)(uint32_t machine);
	void (*free)(void *unwinder); /* null is allowed */
	/* process: any number that identifies a process. pre: nothing is mapped there. False: no memory. */
	bool (*map)(void *unwinder, uint32_t process, const struct reader_mapping *mapping);
	/* False: no memory. */
	bool (*unmap)(void *unwinder, uint32_t process, uint64_t low, uint64_t high);
	struct reader_callers (*find)(void *unwinder, uint32_t process, const struct reader_stack *stack);
};

#endif
