/* registers: of a thread, and a copy of its stack. */
#ifndef DWELL_HOST_UNWIND_REGISTERS_H
#define DWELL_HOST_UNWIND_REGISTERS_H

#include <stdint.h>

#include "cpu/cpu.h"
#include "util/bytes.h"

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

#endif
