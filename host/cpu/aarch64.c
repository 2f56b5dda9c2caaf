/* AArch64. */
#include "cpu/cpu.h"

#include <elf.h>

#include "util/bytes.h"

enum { FP = 29, LR = 30, SP = 31 }; /* x0 … x30, sp */

static const int8_t perf_registers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
	27, 28, FP, LR, SP, CPU_PC};

/* The last two before Linux 5.13. */
static const char *const interrupt_entries[] = {"el0t_64_irq", "el0t_64_fiq", "el1h_64_irq", "el1h_64_fiq", "el0_irq", "el1_irq", NULL};

static bool decode_plt(const uint8_t *code, uint64_t bytes, uint64_t address, uint64_t *word, uint64_t *size)
{
	uint64_t at = bytes >= 4 && get_u32(code) == 0xd503245fu ? 4 : 0; /* bti c */
	uint32_t adrp, ldr;
	int64_t pages;

	if (bytes - at < 8)
		return false;
	adrp = get_u32(code + at); /* adrp x16, page */
	ldr = get_u32(code + at + 4); /* ldr x17, [x16, #offset] */
	if ((adrp & 0x9f00001fu) != 0x90000010u || (ldr & 0xffc003ffu) != 0xf9400211u)
		return false;
	pages = (int64_t)((uint64_t)(adrp >> 5 & 0x7ffffu) << 2 | (adrp >> 29 & 3u));
	pages = pages & 1 << 20 ? pages - (1 << 21) : pages;
	*word = ((address + at) & ~UINT64_C(0xfff)) + (uint64_t)pages * 4096u + (ldr >> 10 & 0xfffu) * 8u;
	*size = at ? 24 : 16;
	return true;
}

const struct cpu cpu_aarch64 = {
	.elf_machine = EM_AARCH64,
	.name = "AArch64",
	.system_name = "aarch64",
#if defined(__aarch64__)
	.is_here = true,
#endif
	.pointer_bytes = 8,
	.fp = FP,
	.sp = SP,
	.ra = LR,
	.pc = 255,
	.ra_in_register = true,
	.code_mask = (UINT64_C(1) << 48) - 1,
	.kept = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, FP},
	.kept_count = 11,
	.perf_registers = perf_registers,
	.perf_register_count = sizeof perf_registers,
	.interrupt_entries = interrupt_entries,
	.marks = "atdx",
	.plt_relocations = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT},
	.plt_step = 4,
	.decode_plt = decode_plt,
	.gdb = {.before = 32, .bytes = 8}, /* x0 to x30, sp */
};
