/* What the readers of ELF share: libelf's handle for a descriptor, and the notes. */
#ifndef DWELL_HOST_SYMBOL_ELF_FILE_H
#define DWELL_HOST_SYMBOL_ELF_FILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Read on demand, never mapped: a file that is rewritten while we read must not kill us. Null: no ELF file, or its header is
 * damaged. To be ended with elf_end before fd is closed. */
Elf *make_elf(int fd);

/* The build-id, from the note sections, else from the note segments. False: none. */
bool elf_build_id(Elf *elf, uint8_t *id, size_t *bytes);

#endif
