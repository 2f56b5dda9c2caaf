/* eh_frame: finds functions by the unwind tables, which stripped files have, too. For the ELF format (elf.c). */
#ifndef DWELL_HOST_SYMBOL_EH_FRAME_H
#define DWELL_HOST_SYMBOL_EH_FRAME_H

#include "symbol/elf_file.h"
#include "symbol/table.h"

/* Adds the functions to the table as extents. Adds nothing for files that are not linked, big-endian or without unwind tables.
 * *left_out: name of an unread section, which becomes too large (cfi/packed.h); null: none. False: no memory. */
bool read_eh_frame(Elf *elf, struct symbol_table *table, const char **left_out);

#endif
