/* machine pc: the program counter among the registers that a GDB stub tells, which are in the order that GDB knows of each machine. */
#ifndef DWELL_HOST_REMOTE_MACHINE_PC_H
#define DWELL_HOST_REMOTE_MACHINE_PC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/image.h"

/* As in ELF: e_machine. */
enum {
	MACHINE_386 = 3,
	MACHINE_68K = 4,
	MACHINE_MIPS = 8,
	MACHINE_ARM = 40,
	MACHINE_X86_64 = 62,
	MACHINE_AARCH64 = 183,
	MACHINE_RISCV = 243,
};

/* machine: of the program's file. False: it is none of those that are known here, or there are too few registers. */
bool machine_pc(const struct symbol_machine *machine, const uint8_t *registers, size_t size, uint64_t *pc);

#endif
