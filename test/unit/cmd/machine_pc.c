/* The program counter among a stub's registers: each register holds its number. */
#include "remote/machine_pc.h"

#include <elf.h>

#include "check.h"

static uint8_t registers[1024];

static void fill(uint32_t bytes, bool is_big)
{
	memset(registers, 0, sizeof registers);
	for (uint32_t i = 0; i < sizeof registers / bytes; i++) {
		registers[i * bytes + (is_big ? bytes - 1 : 0)] = (uint8_t)i;
		registers[i * bytes + (is_big ? 0 : bytes - 1)] = 0x80; /* whatever its order, all of it is read */
	}
}

static const struct {
	uint32_t machine, pointer_bytes;
	bool is_big;
	uint32_t bytes, count; /* of registers */
	uint64_t pc;
} cases[] = {
	{EM_ARM, 4, false, 4, 17, 0x8000000f}, {EM_ARM, 4, true, 4, 26, 0x8000000f},
	{EM_AARCH64, 8, false, 8, 34, UINT64_C(0x8000000000000020)}, {EM_RISCV, 4, false, 4, 33, 0x80000020},
	{EM_RISCV, 8, false, 8, 33, UINT64_C(0x8000000000000020)}, {EM_MIPS, 4, true, 4, 72, 0x80000025},
	{EM_MIPS, 4, true, 8, 72, 0x25}, /* the low half of it */
	{EM_MIPS, 8, true, 8, 72, UINT64_C(0x8000000000000025)}, {EM_386, 4, false, 4, 16, 0x80000008},
	{EM_X86_64, 8, false, 8, 24, UINT64_C(0x8000000000000010)}, {EM_68K, 4, true, 4, 18, 0x80000011},
};

TEST(each_machine)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct symbol_machine machine = {cases[i].machine, cases[i].pointer_bytes, cases[i].is_big};
		uint64_t pc = 0;

		fill(cases[i].bytes, cases[i].is_big);
		if (!CHECK(machine_pc(&machine, registers, (size_t)cases[i].bytes * cases[i].count, &pc)))
			printf("# case %zu\n", i);
		CHECK_EQ(pc, cases[i].pc);
		CHECK(!machine_pc(&machine, registers, 8 * cases[i].bytes, &pc)); /* too few */
	}
}

TEST(another_machine)
{
	const struct symbol_machine machine = {2, 4, true};
	uint64_t pc;

	CHECK(!machine_pc(&machine, registers, sizeof registers, &pc));
}

int main(void)
{
	RUN(each_machine);
	RUN(another_machine);
	return tap_done();
}
