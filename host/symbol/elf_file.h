/* elf_file: shared by the readers of ELF files: libelf's handle for a descriptor, and the build-id. */
#ifndef DWELL_HOST_SYMBOL_ELF_FILE_H
#define DWELL_HOST_SYMBOL_ELF_FILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens an ELF file. libelf reads on demand and does not map the file: if another program truncates a mapped file, reading
 * it kills the process. Null: no ELF file, or its header is damaged. The caller calls elf_end before closing fd. */
Elf *make_elf(int fd);

/* Reads the build-id, from the note sections, else from the note segments. False: none. */
bool elf_build_id(Elf *elf, uint8_t *id, size_t *bytes);

#endif
