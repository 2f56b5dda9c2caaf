/* section: the call frame information of an ELF file. */
#ifndef DWELL_HOST_CFI_SECTION_H
#define DWELL_HOST_CFI_SECTION_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "cfi/entry.h"

#define CFI_SECTIONS_MAX 2u

/* Copies of .eh_frame and .debug_frame, those that there are: the file may be written over while we go on. */
struct cfi_sections {
	struct cfi_section list[CFI_SECTIONS_MAX];
	uint32_t count;
};

/* Zero sections before, clear them after, in any case. False: no memory. pre: a linked file, little-endian. */
bool cfi_sections_read(struct cfi_sections *sections, Elf *elf, uint8_t pointer_bytes);
void cfi_sections_clear(struct cfi_sections *sections);

#endif
