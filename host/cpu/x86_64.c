/* x86-64. */
#include "cpu/cpu.h"

#include <elf.h>
#include <string.h>

#include "util/bytes.h"

#if defined(__x86_64__)
#include <x86intrin.h>

static uint64_t read_ticks(void)
{
	return __rdtsc();
}
#endif

enum { BP = 6, SP = 7, RA = 16 }; /* rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 … r15 */

/* ax, bx, cx, dx, si, di, bp, sp, ip, flags and segments, r8 … r15 */
static const int8_t perf_registers[] = {0, 3, 2, 1, 4, 5, BP, SP, CPU_PC, -1, -1, -1, -1, -1, -1, -1, 8, 9, 10, 11, 12, 13, 14, 15};

/* The last four before Linux 5.8. */
static const char *const interrupt_entries[] = {"asm_sysvec_*", "asm_common_interrupt", "asm_spurious_interrupt", "fred_extint",
	"common_interrupt", "ret_from_intr", "apic_timer_interrupt", "reschedule_interrupt", "call_function_single_interrupt", NULL};

static bool decode_plt(const uint8_t *code, uint64_t bytes, uint64_t address, uint64_t *word, uint64_t *size)
{
	static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
	uint64_t at = bytes >= sizeof endbr && !memcmp(code, endbr, sizeof endbr) ? sizeof endbr : 0;

	if (at < bytes && code[at] == 0xf2) /* bnd */
		at++;
	if (bytes - at < 6 || code[at] != 0xff || code[at + 1] != 0x25) /* jmp *distance(%rip) */
		return false;
	*word = address + at + 6 + (uint64_t)(int64_t)(int32_t)get_u32(code + at + 2);
	/* .plt.got has short ones, without what calls the dynamic linker. */
	*size = !at && bytes >= 8 && code[6] == 0x66 && code[7] == 0x90 ? 8 : 16;
	return true;
}

const struct cpu cpu_x86_64 = {
	.elf_machine = EM_X86_64,
	.name = "x86-64",
	.system_name = "x86_64",
#if defined(__x86_64__)
	.is_here = true,
	.read_ticks = read_ticks,
#endif
	.pointer_bytes = 8,
	.fp = BP,
	.sp = SP,
	.ra = RA,
	.pc = RA,
	.code_mask = UINT64_MAX,
	.kept = {3, BP, 12, 13, 14, 15},
	.kept_count = 6,
	.perf_registers = perf_registers,
	.perf_register_count = sizeof perf_registers,
	.interrupt_entries = interrupt_entries,
	.plt_relocations = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT},
	.plt_step = 8,
	.decode_plt = decode_plt,
	.gdb = {.pointer_bytes = 8, .before = 16, .bytes = 8}, /* rax to r15 */
};
