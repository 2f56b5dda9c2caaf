/* The table of AArch64: the facts of struct cpu (cpu.h). */
#include "cpu/cpu.h"

#include <elf.h>

enum { FP = 29, LR = 30, SP = 31 }; /* the numbers of unwind tables: x0 … x30 are 0 … 30 */

/* The kernel's numbers 0 … 32: x0 … x30, sp, pc. */
static const int8_t perf_registers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
	25, 26, 27, 28, FP, LR, SP, CPU_PC};

/* The last two exist only before Linux 5.13. */
static const char *const interrupt_entries[] = {"el0t_64_irq", "el0t_64_fiq", "el1h_64_irq", "el1h_64_fiq", "el0_irq", "el1_irq", NULL};

const struct cpu cpu_aarch64 = {
	.elf_machine = EM_AARCH64,
	.name = "AArch64",
	.system_name = "aarch64",
#if defined(__aarch64__)
	.is_native = true,
#endif
	.pointer_bytes = 8,
	.fp = FP,
	.sp = SP,
	.ra = LR,
	.pc = 255,
	.ra_in_register = true,
	.code_mask = (UINT64_C(1) << 48) - 1,
	.callee_saved = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, FP},
	.callee_saved_count = 11,
	.perf_registers = perf_registers,
	.perf_register_count = sizeof perf_registers,
	.interrupt_entries = interrupt_entries,
	.marks = "atdx",
};
