/* The tables of processors: found by each of their names, and whole. */
#include "cpu/cpu.h"

#include <elf.h>
#include <string.h>

#include "check.h"

TEST(found_by_number_and_name)
{
	char buffer[16];

	CHECK(cpu_find(EM_X86_64) == &cpu_x86_64);
	CHECK(cpu_find_system_name("aarch64") == &cpu_aarch64);
	CHECK(!cpu_find_system_name("x86"));
	CHECK(!cpu_find(4000));
	CHECK_STR(cpu_name(EM_MIPS, buffer), "MIPS");
	CHECK_STR(cpu_name(EM_NONE, buffer), "unknown");
	CHECK_STR(cpu_name(4000, buffer), "machine 4000");
	CHECK_EQ(cpu_find(EM_ARM)->pointer_bytes, 0);
}

/* The kernel's own numbers: arch/ARCH/include/uapi/asm/perf_regs.h. */
TEST(registers_of_samples)
{
	CHECK_EQ(cpu_perf_mask(&cpu_x86_64), 0xff01ff); /* ax … sp, ip, r8 … r15 */
	CHECK_EQ(cpu_perf_mask(&cpu_aarch64), 0x1ffffffff); /* x0 … x29, lr, sp, pc */
	CHECK_EQ(cpu_perf_mask(cpu_find(EM_NONE)), 0);
}

/* What each table of a processor for Linux must say. */
#define ROW(name) &cpu_##name,
TEST(whole)
{
	static const struct cpu *const all[] = {CPU_EACH(ROW)};
	unsigned here = 0;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct cpu *cpu = all[i];
		uint64_t known = 0;
		unsigned pc = 0;

		here += cpu->is_native;
		CHECK(cpu_find(cpu->elf_machine) == cpu && cpu_find_system_name(cpu->system_name) == cpu);
		CHECK(!cpu->read_ticks || cpu->is_native);
		CHECK(cpu->pointer_bytes == 8 && cpu->fp < CPU_REGISTERS && cpu->sp < CPU_REGISTERS && cpu->code_mask);
		CHECK(cpu->callee_saved_count && cpu->callee_saved_count <= CPU_CALLEE_SAVED_MAX);
		for (unsigned k = 0; k < cpu->perf_register_count; k++) {
			pc += cpu->perf_registers[k] == CPU_PC;
			if (cpu->perf_registers[k] >= 0 && cpu->perf_registers[k] != CPU_PC)
				known |= UINT64_C(1) << cpu->perf_registers[k];
		}
		CHECK_EQ(pc, 1);
		CHECK(known >> cpu->sp & 1 && known >> cpu->fp & 1);
		for (unsigned k = 0; k < cpu->callee_saved_count; k++)
			CHECK(known >> cpu->callee_saved[k] & 1);
	}
	CHECK(here <= 1 && (here || cpu_native()->elf_machine == EM_NONE));
}

int main(void)
{
	RUN(found_by_number_and_name);
	RUN(registers_of_samples);
	RUN(whole);
	return tap_done();
}
