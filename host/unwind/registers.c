/* registers: converts the kernel's register numbers to those of the unwind tables. */
#include "unwind/registers.h"

void unwind_registers_set(struct unwind_registers *registers, const struct cpu *cpu, unsigned number, uint64_t value)
{
	int to = number < cpu->perf_register_count ? cpu->perf_registers[number] : -1;

	if (to == CPU_PC) {
		registers->pc = value;
	} else if (to >= 0) {
		registers->values[to] = value;
		registers->known |= UINT32_C(1) << to;
	}
}
