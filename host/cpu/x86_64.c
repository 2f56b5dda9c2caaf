/* The table of x86-64: the facts of struct cpu (cpu.h). */
#include "cpu/cpu.h"

#include <elf.h>

#if defined(__x86_64__)
#include <x86intrin.h>

static uint64_t read_ticks(void)
{
	return __rdtsc();
}
#endif

/* The numbers of unwind tables, from 0 on: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 … r15. 16 stands for the return address. */
enum { BP = 6, SP = 7, RA = 16 };

/* The kernel's numbers, from 0 on: ax, bx, cx, dx, si, di, bp, sp, ip, flags and segments, r8 … r15. */
static const int8_t perf_registers[] = {0, 3, 2, 1, 4, 5, BP, SP, CPU_PC, -1, -1, -1, -1, -1, -1, -1, 8, 9, 10, 11, 12, 13, 14, 15};

/* The last four exist only before Linux 5.8. */
static const char *const interrupt_entries[] = {"asm_sysvec_*", "asm_common_interrupt", "asm_spurious_interrupt", "fred_extint",
	"common_interrupt", "ret_from_intr", "apic_timer_interrupt", "reschedule_interrupt", "call_function_single_interrupt", NULL};

const struct cpu cpu_x86_64 = {
	.elf_machine = EM_X86_64,
	.name = "x86-64",
	.system_name = "x86_64",
#if defined(__x86_64__)
	.is_native = true,
	.read_ticks = read_ticks,
#endif
	.pointer_bytes = 8,
	.fp = BP,
	.sp = SP,
	.ra = RA,
	.pc = RA,
	.code_mask = UINT64_MAX,
	.callee_saved = {3, BP, 12, 13, 14, 15},
	.callee_saved_count = 6,
	.perf_registers = perf_registers,
	.perf_register_count = sizeof perf_registers,
	.interrupt_entries = interrupt_entries,
};
