/* unwind: finds the callers from registers and a copy of the stack.
 *
 * The sampler copies a thread's registers and the innermost part of its stack; the unwinding can happen later, by the
 * tables that compilers write for exceptions (.eh_frame, .debug_frame). Unwinding restores the caller's pc, stack
 * pointer, and the registers that functions save for their callers, as some functions need them to find their frame.
 *
 *     struct unwind_file *file = make_unwind_file("/usr/lib/libfoo.so", diag);
 *     struct unwind_space *space = make_unwind_space(cpu_native());
 *     unwind_space_map(space, low, high, bias, file);
 *     unwind_stack(space, &registers, &stack, frames, FRAMES_MAX, &signals);
 *
 * A file may be in any number of spaces; only one thread at a time may use a file. All
 * input is checked: no read leaves the given bytes, and each step goes outwards. */
#ifndef DWELL_HOST_UNWIND_UNWIND_H
#define DWELL_HOST_UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/cpu.h"
#include "dwell/format.h" /* enum dwell_sample_stack */
#include "unwind/file.h"
#include "unwind/registers.h"

/* The mapped files of one process. make_unwind_space returns null if there is no memory, if cpu is null, or if dwell cannot unwind
 * the stacks of the processor. */
struct unwind_space;
struct unwind_space *make_unwind_space(const struct cpu *cpu);
void free_unwind_space(struct unwind_space *space);
/* Maps a file at run-time addresses [low, high), and unmaps what was there. bias: run-time address − address in
 * the file. file is borrowed; null: code without tables, which is unwound by frame pointers. False: no memory. */
bool unwind_space_map(struct unwind_space *space, uint64_t low, uint64_t high, uint64_t bias, struct unwind_file *file);
/* Unmaps what is in [low, high). False: no memory for the rest of a mapping that is cut in two. */
bool unwind_space_unmap(struct unwind_space *space, uint64_t low, uint64_t high);
/* Returns whether something is mapped at an address. */
bool unwind_space_is_mapped(const struct unwind_space *space, uint64_t address);

struct unwind_result {
	uint32_t count; /* of frames */
	enum dwell_sample_stack state; /* never DWELL_STACK_LEAF */
};
/* Writes the frames, innermost first; frames[0] is the pc. *signals: for i < 64, bit i is set if frames[i] is no return address.
 * Those are frames[0], each frame interrupted by a signal, and each trampoline to which a signal handler returns. All other frames
 * are return addresses. Leaves out frames beyond max; then the state is DWELL_STACK_TRUNCATED. pre: max is not 0. */
struct unwind_result unwind_stack(struct unwind_space *space, const struct unwind_registers *registers,
	const struct unwind_stack *stack, uint64_t *frames, uint32_t max, uint64_t *signals);

#endif
