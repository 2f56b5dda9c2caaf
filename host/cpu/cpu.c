/* cpu: finds the table of a processor (cpu.h). */
#include "cpu/cpu.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#define TI_C6000 140 /* EM_TI_C6000, which some versions of <elf.h> lack */

/* dwell reads files, profiles and memory of these processors, but records no Linux programs on them. */
static const struct cpu unrecorded[] = {
	{.elf_machine = EM_NONE, .name = "unknown"},
	{.elf_machine = EM_386, .name = "x86"},
	{.elf_machine = EM_68K, .name = "m68k"},
	{.elf_machine = EM_ARM, .name = "ARM", .marks = "atdx", .has_state_bit = true},
	{.elf_machine = EM_MIPS, .name = "MIPS", .gdb_is_signed = true, .has_state_bit = true},
	{.elf_machine = EM_RISCV, .name = "RISC-V", .marks = "atdx", .marks_have_suffixes = true},
	{.elf_machine = EM_CSKY, .name = "C-SKY", .marks = "atdx"},
	{.elf_machine = EM_PPC, .name = "PowerPC"},
	{.elf_machine = EM_PPC64, .name = "PowerPC64"},
	{.elf_machine = TI_C6000, .name = "C6000"},
};

#define ROW(name) &cpu_##name,
static const struct cpu *const recorded_cpus[] = {CPU_EACH(ROW)};
#define RECORDED (sizeof recorded_cpus / sizeof *recorded_cpus)

const struct cpu *cpu_find(uint32_t elf_machine)
{
	for (size_t i = 0; i < RECORDED; i++)
		if (recorded_cpus[i]->elf_machine == elf_machine)
			return recorded_cpus[i];
	for (size_t i = 0; i < sizeof unrecorded / sizeof *unrecorded; i++)
		if (unrecorded[i].elf_machine == elf_machine)
			return &unrecorded[i];
	return NULL;
}

const struct cpu *cpu_find_system_name(const char *name)
{
	for (size_t i = 0; i < RECORDED; i++)
		if (!strcmp(recorded_cpus[i]->system_name, name))
			return recorded_cpus[i];
	return NULL;
}

const struct cpu *cpu_native(void)
{
	for (size_t i = 0; i < RECORDED; i++)
		if (recorded_cpus[i]->is_native)
			return recorded_cpus[i];
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
