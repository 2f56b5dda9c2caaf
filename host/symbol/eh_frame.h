/* eh_frame: where functions are, as the tables for unwinding tell; they are in files that were stripped, too. */
#ifndef DWELL_HOST_SYMBOL_EH_FRAME_H
#define DWELL_HOST_SYMBOL_EH_FRAME_H

#include "symbol/elf_file.h"
#include "symbol/table.h"

/* Adds them as extents. Files that are not linked, big-endian or without such tables have none. False: no memory. */
bool read_eh_frame(Elf *elf, struct symbol_table *table);

#endif
