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
#include "unwind/file.h"
#include "unwind/registers.h"

/* What is mapped where in one process. Null: no memory, or stacks of that processor cannot be unwound; cpu may be null, too. */
struct unwind_space;
struct unwind_space *make_unwind_space(const struct cpu *cpu);
void free_unwind_space(struct unwind_space *space);
/* [low, high) at run time; bias: run-time address − address in the file. What was mapped there is not any more. file is borrowed; null:
 * code without tables, where the chain of frame pointers is followed. False: no memory. */
bool unwind_space_map(struct unwind_space *space, uint64_t low, uint64_t high, uint64_t bias, struct unwind_file *file);
/* Whether something is mapped at an address. */
bool unwind_space_has(const struct unwind_space *space, uint64_t address);

struct unwind_result {
	uint32_t count; /* of frames */
	enum dwell_sample_stack state; /* never DWELL_STACK_LEAF */
};
/* frames[0] is the pc; the others are return addresses, but for the frame that a signal interrupted and the trampoline to which its handler
 * returns: signals has a bit for each of the first 64 frames whose address is no return address. Frames beyond max are left out:
 * truncated. pre: max is not 0. */
struct unwind_result unwind_stack(struct unwind_space *space, const struct unwind_registers *registers, const struct unwind_stack *stack,
	uint64_t *frames, uint32_t max, uint64_t *signals);

#endif
