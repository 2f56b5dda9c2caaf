/* linkage_code: stubs of x86-64 and AArch64 (linkage_code.h). A stub begins with an instruction that marks a target of jumps, if
 * the program is built for processors that check these. Then the stub loads the slot and jumps. */
#include "symbol/linkage_code.h"

#include <elf.h>
#include <string.h>

static uint32_t word_at(struct bytes code, size_t offset)
{
	return bytes_have(code, offset, 4) ? get_u32(code.data + offset) : 0;
}

/* endbr64; bnd jmp *slot(%rip). The first and the second part may be absent. */
static bool find_slot_x86_64(struct bytes code, size_t offset, uint64_t address, uint64_t *slot)
{
	if (word_at(code, offset) == 0xfa1e0ff3)
		offset += 4;
	if (bytes_have(code, offset, 1) && code.data[offset] == 0xf2)
		offset++;
	if (!bytes_have(code, offset, 6) || code.data[offset] != 0xff || code.data[offset + 1] != 0x25)
		return false;
	*slot = address + offset + 6 + (uint64_t)(int64_t)(int32_t)word_at(code, offset + 2);
	return true;
}

/* bti c; adrp x16, page of slot; ldr x17, [x16, offset in page]. The first may be absent. */
static bool find_slot_aarch64(struct bytes code, size_t offset, uint64_t address, uint64_t *slot)
{
	uint32_t page, load;
	uint64_t pages;

	if (word_at(code, offset) == 0xd503245f)
		offset += 4;
	page = word_at(code, offset);
	load = word_at(code, offset + 4);
	if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
		return false;
	pages = (uint64_t)(page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3);
	pages = (pages ^ 0x100000) - 0x100000; /* 21 bits with a sign */
	*slot = ((address + offset) & ~UINT64_C(0xfff)) + (pages << 12) + (uint64_t)(load >> 10 & 0xfff) * 8;
	return true;
}

const struct linkage_cpu *linkage_cpu_find(uint32_t machine)
{
	static const struct linkage_cpu cpus[] = {
		{EM_X86_64, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_IRELATIVE, 8, 16, find_slot_x86_64},
		{EM_AARCH64, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_IRELATIVE, 4, 24, find_slot_aarch64},
	};

	for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++)
		if (cpus[i].machine == machine)
			return &cpus[i];
	return NULL;
}

/* Moves *offset to the next place where a stub begins. False: none. */
static bool find_stub(const struct linkage_cpu *cpu, struct bytes code, uint64_t address, size_t *offset, uint64_t *slot)
{
	for (; *offset < code.size; *offset += cpu->align)
		if (cpu->find_slot(code, *offset, address, slot))
			return true;
	return false;
}

bool linkage_next(const struct linkage_cpu *cpu, struct bytes code, uint64_t address, size_t *offset, struct linkage_stub *stub)
{
	size_t begin, limit;
	uint64_t next_slot;

	if (!find_stub(cpu, code, address, offset, &stub->slot))
		return false;
	begin = *offset;
	limit = code.size - begin < cpu->bytes_max ? code.size : begin + cpu->bytes_max;
	*offset += cpu->align;
	if (word_at(code, begin) == 0xd503245f) /* without its first instruction the stub would be another one */
		*offset += cpu->align;
	while (*offset < limit && !cpu->find_slot(code, *offset, address, &next_slot))
		*offset += cpu->align;
	*offset = *offset < limit ? *offset : limit;
	stub->address = address + begin;
	stub->size = *offset - begin;
	return true;
}
