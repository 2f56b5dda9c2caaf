#include "remote/machine_pc.h"

#include "cpu/cpu.h"

bool machine_pc(const struct symbol_machine *machine, const uint8_t *registers, size_t size, uint64_t *pc)
{
	const struct cpu *cpu = cpu_find(machine->machine);
	const struct cpu_gdb *gdb = cpu ? &cpu->gdb : NULL;
	uint32_t bytes;

	if (!gdb || !gdb->before || (gdb->pointer_bytes && gdb->pointer_bytes != machine->pointer_bytes))
		return false;
	bytes = gdb->short_max && size > 4u * gdb->short_max ? 8 : gdb->bytes ? gdb->bytes : machine->pointer_bytes;
	if (size < (size_t)(gdb->before + 1) * bytes)
		return false;
	registers += (size_t)gdb->before * bytes;
	*pc = 0;
	for (uint32_t i = 0; i < bytes; i++)
		*pc |= (uint64_t)registers[machine->is_big ? bytes - 1 - i : i] << 8 * i;
	if (machine->pointer_bytes == 4)
		*pc &= UINT32_MAX;
	return true;
}
