/* unwind: registers and a copy of the stack → the callers.
 *
 * A thread's registers and the innermost part of its stack are copied when a sample is taken; whoever has time finds out afterwards
 * who called whom, by the tables that compilers write for exceptions (.eh_frame, .debug_frame). Of a caller those registers are found again
 * that a function keeps for it: pc, stack pointer, and those from which some functions say where their frame is.
 *
 *     struct unwind_file *file = make_unwind_file("/usr/lib/libfoo.so", diag);
 *     struct unwind_space *space = make_unwind_space(cpu_here());
 *     unwind_space_map(space, low, high, bias, file);
 *     unwind_stack(space, &registers, &stack, frames, FRAMES_MAX, &signals);
 *
 * Files are for any number of spaces; one thread at a time each. Nothing in a file or in a stack is believed: no read leaves the bytes that
 * are there, each step goes outwards. */
#ifndef DWELL_HOST_UNWIND_UNWIND_H
#define DWELL_HOST_UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/cpu.h"
#include "dwell/format.h" /* enum dwell_sample_stack */
#include "util/bytes.h"
#include "util/diag.h"

/* The tables of an ELF file. Null: no memory, or no ELF file of a processor whose stacks can be unwound, and a diag (a warning) if diag
 * is not null. A file without tables is not null: nothing is known in it. */
struct unwind_file;
struct unwind_file *make_unwind_file(const char *path, struct diag *diag);
void free_unwind_file(struct unwind_file *file);
/* Functions that its tables tell of. */
size_t unwind_file_count(const struct unwind_file *file);
/* The function that holds an address (of the file): [*low, *high). False: none. A part that was moved away (.cold) is one of its own. */
bool unwind_file_find(const struct unwind_file *file, uint64_t address, uint64_t *low, uint64_t *high);
/* Whether most of its functions keep a frame pointer, so that a chain of these leads through them. */
bool unwind_file_keeps_frame_pointers(struct unwind_file *file);

/* What is mapped where in one process. Null: no memory, or stacks of that processor cannot be unwound; cpu may be null, too. */
struct unwind_space;
struct unwind_space *make_unwind_space(const struct cpu *cpu);
void free_unwind_space(struct unwind_space *space);
/* [low, high) at run time; bias: run-time address − address in the file. What was mapped there is not any more. file is borrowed; null:
 * code without tables, where the chain of frame pointers is followed. False: no memory. */
bool unwind_space_map(struct unwind_space *space, uint64_t low, uint64_t high, uint64_t bias, struct unwind_file *file);
void unwind_space_unmap(struct unwind_space *space, uint64_t low, uint64_t high);

struct unwind_registers {
	uint64_t pc;
	uint64_t values[CPU_REGISTERS]; /* by the numbers that the tables use */
	uint32_t known; /* a bit for each of values */
};
/* One of them, by the number that the kernel's perf events have for it. */
void unwind_registers_set(struct unwind_registers *registers, const struct cpu *cpu, unsigned number, uint64_t value);

struct unwind_stack {
	struct bytes bytes;
	uint64_t address; /* of the first byte */
};
/* Return addresses that somebody found who followed the frame pointers: 8 bytes each, the first one is where the thread is. */
struct unwind_chain {
	const uint8_t *addresses;
	uint64_t count;
};
struct unwind_result {
	uint32_t count; /* of frames */
	enum dwell_sample_stack state; /* never DWELL_STACK_LEAF */
};
/* frames[0] is the pc; the others are return addresses, but for the frame that a signal interrupted and the trampoline to which its handler
 * returns: signals has a bit for each of the first 64 frames whose address is no return address. Frames beyond max are left out:
 * truncated. pre: max is not 0. */
struct unwind_result unwind_stack(struct unwind_space *space, const struct unwind_registers *registers, const struct unwind_stack *stack,
	uint64_t *frames, uint32_t max, uint64_t *signals);

/* The same with little of the stack: where the copy ends in a function that keeps a frame pointer, those outside of it are the chain's,
 * as long as they keep one, too. What is behind one that does not is truncated. */
struct unwind_result unwind_stack_and_chain(struct unwind_space *space, const struct unwind_registers *registers,
	const struct unwind_stack *stack, const struct unwind_chain *chain, uint64_t *frames, uint32_t max, uint64_t *signals);

#endif
