/* linkage: names the stubs of a program's procedure linkage table (PLT), as objdump does: write@plt. */
#ifndef DWELL_HOST_SYMBOL_LINKAGE_H
#define DWELL_HOST_SYMBOL_LINKAGE_H

#include <gelf.h>

#include "symbol/table.h"

/* Adds the stubs of a linked file for x86-64 or AArch64 to the table, without those whose name is unknown. False: no memory. */
bool read_linkage(Elf *elf, struct symbol_table *table);

#endif
