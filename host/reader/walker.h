/* walker: who finds the callers of a sample that comes with registers and a copy of its stack. For that one needs the files of a program,
 * and readers have bytes only: so a command gives it to the reader, which tells it what is mapped and asks. */
#ifndef DWELL_HOST_READER_WALKER_H
#define DWELL_HOST_READER_WALKER_H

#include <stdint.h>

#include "reader/message.h"
#include "util/bytes.h"

/* As perf_event_open(2) has it. */
struct walker_stack {
	uint32_t process;         /* as in what was mapped */
	uint16_t machine;         /* as in ELF: e_machine */
	uint64_t mask;            /* which registers there are, by the kernel's numbers */
	const uint8_t *registers; /* 8 bytes each */
	struct bytes bytes;       /* from the stack pointer on */
};

/* The path, innermost first; borrowed until the next call. */
struct walker_path {
	const uint64_t *frames;
	uint32_t count; /* 0: nothing can be said */
	uint64_t signals; /* as of unwind_stack: a bit for each of the first 64 that is no return address, though it is not the first */
	enum dwell_sample_stack state;
};

struct walker {
	void (*begin)(struct walker *walker); /* the file is read again: nothing is mapped */
	void (*map)(struct walker *walker, const struct message_module *module);
	struct walker_path (*walk)(struct walker *walker, const struct walker_stack *stack);
	void (*free)(struct walker *walker);
};

#endif
