/* machine pc: the program counter among the registers that a GDB stub tells, which are in the order that GDB knows of each machine. */
#ifndef DWELL_HOST_REMOTE_MACHINE_PC_H
#define DWELL_HOST_REMOTE_MACHINE_PC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/image.h"

/* machine: of the program's file. False: its registers are not known (cpu/cpu.h), or there are too few registers. */
bool machine_pc(const struct symbol_machine *machine, const uint8_t *registers, size_t size, uint64_t *pc);

#endif
