#include "remote/machine_pc.h"

#define WORD 0 /* as many bytes as a pointer of the program has */

static const struct {
	uint32_t machine, pointer_bytes; /* 0: either */
	uint32_t before;                 /* registers before it */
	uint32_t bytes;                  /* of each of these, and of it */
} known[] = {
	{MACHINE_ARM, 0, 15, 4},      /* r0 to r14 */
	{MACHINE_AARCH64, 0, 32, 8},  /* x0 to x30, sp */
	{MACHINE_RISCV, 0, 32, WORD}, /* x0 to x31 */
	{MACHINE_MIPS, 0, 37, WORD},  /* r0 to r31, status, lo, hi, badvaddr, cause */
	{MACHINE_386, 0, 8, 4},       /* eax to edi */
	{MACHINE_X86_64, 8, 16, 8},   /* rax to r15 */
	{MACHINE_68K, 0, 17, 4},      /* d0 to d7, a0 to a7, ps */
};

/* A processor of 64 bits tells all of its registers, whatever the program uses of them. The last that such a stub tells are far behind what
 * 32 bits take: r0 to pc and the floating point unit's, 72 registers. */
#define MIPS_REGISTERS_MAX 90u

bool machine_pc(const struct symbol_machine *machine, const uint8_t *registers, size_t size, uint64_t *pc)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		uint32_t bytes = known[i].bytes ? known[i].bytes : machine->pointer_bytes;
		const uint8_t *at;

		if (known[i].machine != machine->machine || (known[i].pointer_bytes && known[i].pointer_bytes != machine->pointer_bytes))
			continue;
		if (machine->machine == MACHINE_MIPS && size > 4 * MIPS_REGISTERS_MAX)
			bytes = 8;
		if (size < (size_t)(known[i].before + 1) * bytes)
			return false;
		at = registers + (size_t)known[i].before * bytes;
		*pc = 0;
		for (uint32_t k = 0; k < bytes; k++)
			*pc |= (uint64_t)at[machine->is_big ? bytes - 1 - k : k] << 8 * k;
		if (machine->pointer_bytes == 4)
			*pc &= UINT32_MAX;
		return true;
	}
	return false;
}
