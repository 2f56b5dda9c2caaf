/* The kernel's numbers of registers → those of the tables for unwinding. */
#include "unwind/unwind.h"

void unwind_registers_set(struct unwind_registers *registers, uint16_t machine, unsigned number, uint64_t value)
{
	static const int8_t x86_64[24] = {0, 3, 2, 1, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1, 8, 9, 10, 11, 12, 13, 14, 15};
	bool is_x86_64 = machine == UNWIND_X86_64;
	int to = is_x86_64 ? number < 24 ? x86_64[number] : -1 : number < 32 ? (int)number : -1;

	if (number == (is_x86_64 ? 8 : 32))
		registers->pc = value;
	if (to < 0)
		return;
	registers->values[to] = value;
	registers->known |= UINT32_C(1) << to;
}
