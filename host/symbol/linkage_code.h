/* linkage_code: finds the stubs in the code of a procedure linkage table (PLT). A stub jumps to the address in a slot of memory,
 * which the loader sets. */
#ifndef DWELL_HOST_SYMBOL_LINKAGE_CODE_H
#define DWELL_HOST_SYMBOL_LINKAGE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"

struct linkage_stub {
	uint64_t address, size;
	uint64_t slot; /* address of the slot */
};

/* A processor whose stubs are known. */
struct linkage_cpu {
	uint32_t machine; /* e_machine of ELF */
	uint32_t jump_slot, global_data, indirect; /* relocations that set a slot: R_…_JUMP_SLOT, R_…_GLOB_DAT, R_…_IRELATIVE */
	uint32_t align; /* stubs begin at multiples of it in their section */
	uint32_t bytes_max; /* of a stub */
	/* Finds the slot of the stub at offset in code, which begins at address. False: no stub begins there. */
	bool (*find_slot)(struct bytes code, size_t offset, uint64_t address, uint64_t *slot);
};

/* Null: dwell does not know the processor's stubs. */
const struct linkage_cpu *linkage_cpu_find(uint32_t machine);

/* Finds the next stub from *offset on in code, which begins at address, and moves *offset behind it. False: no more stubs. */
bool linkage_next(const struct linkage_cpu *cpu, struct bytes code, uint64_t address, size_t *offset, struct linkage_stub *stub);

#endif
