/* registers: a thread's registers and a copy of its stack, from which unwind_stack finds the callers. */
#ifndef DWELL_HOST_UNWIND_REGISTERS_H
#define DWELL_HOST_UNWIND_REGISTERS_H

#include <stdint.h>

#include "cpu/cpu.h"
#include "util/bytes.h"

struct unwind_registers {
	uint64_t pc;
	uint64_t values[CPU_REGISTERS]; /* by the numbers of the unwind tables */
	uint32_t known; /* a bit for each valid element of values */
};
/* Sets a register by its number in the kernel's perf events. */
void unwind_registers_set(struct unwind_registers *registers, const struct cpu *cpu, unsigned number, uint64_t value);

/* A copy of a stack's innermost part: bytes[0] was at the lowest address. */
struct unwind_stack {
	struct bytes bytes; /* borrowed */
	uint64_t address; /* run-time address of the first byte */
	const struct unwind_stack *next_stack; /* the next copied stack, such as one interrupted by a signal handler; null: none */
};

#endif
