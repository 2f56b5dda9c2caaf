/* cpu: see cpu.h. */
#include "cpu/cpu.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#define TI_C6000 140 /* EM_TI_C6000, which not every elf.h has */

/* Their files, profiles and memory are read, but no program of theirs is recorded on Linux. */
static const struct cpu others[] = {
	{.elf_machine = EM_NONE, .name = "unknown"},
	{.elf_machine = EM_386, .name = "x86", .gdb = {.before = 8, .bytes = 4}}, /* eax to edi */
	{.elf_machine = EM_68K, .name = "m68k", .gdb = {.before = 17, .bytes = 4}}, /* d0 to d7, a0 to a7, ps */
	/* r0 to r14 */
	{.elf_machine = EM_ARM, .name = "ARM", .gdb = {.before = 15, .bytes = 4}, .marks = "atdx", .has_state_bit = true},
	/* r0 to r31, status, lo, hi, badvaddr, cause. A processor of 64 bits tells all of its registers, whatever the program uses of them.
	 * The last that such a stub tells are far behind what 32 bits take: r0 to pc and the floating point unit's, 72 registers. */
	{.elf_machine = EM_MIPS, .name = "MIPS", .gdb = {.before = 37, .short_max = 90, .is_signed = true}, .has_state_bit = true},
	{.elf_machine = EM_RISCV, .name = "RISC-V", .gdb = {.before = 32}, .marks = "atdx", .marks_have_suffixes = true}, /* x0 to x31 */
	{.elf_machine = EM_CSKY, .name = "C-SKY", .marks = "atdx"},
	{.elf_machine = EM_PPC, .name = "PowerPC"},
	{.elf_machine = EM_PPC64, .name = "PowerPC64"},
	{.elf_machine = TI_C6000, .name = "C6000"},
};

#define ROW(name) &cpu_##name,
static const struct cpu *const recorded[] = {CPU_EACH(ROW)};
#define RECORDED (sizeof recorded / sizeof *recorded)

const struct cpu *cpu_find(uint32_t elf_machine)
{
	for (size_t i = 0; i < RECORDED; i++)
		if (recorded[i]->elf_machine == elf_machine)
			return recorded[i];
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].elf_machine == elf_machine)
			return &others[i];
	return NULL;
}

const struct cpu *cpu_find_system_name(const char *name)
{
	for (size_t i = 0; i < RECORDED; i++)
		if (!strcmp(recorded[i]->system_name, name))
			return recorded[i];
	return NULL;
}

const struct cpu *cpu_here(void)
{
	for (size_t i = 0; i < RECORDED; i++)
		if (recorded[i]->is_here)
			return recorded[i];
	return cpu_find(EM_NONE);
}

const char *cpu_name(uint32_t elf_machine, char buffer[static 16])
{
	const struct cpu *cpu = cpu_find(elf_machine);

	if (cpu)
		return cpu->name;
	snprintf(buffer, 16, "machine %u", elf_machine & 0xffff);
	return buffer;
}

uint64_t cpu_perf_mask(const struct cpu *cpu)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < cpu->perf_register_count; i++)
		if (cpu->perf_registers[i] >= 0)
			mask |= UINT64_C(1) << i;
	return mask;
}
