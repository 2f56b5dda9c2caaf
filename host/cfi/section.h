/* section: loads the unwind tables of an ELF file, whose entries entry.h reads. */
#ifndef DWELL_HOST_CFI_SECTION_H
#define DWELL_HOST_CFI_SECTION_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "cfi/entry.h"

#define CFI_SECTIONS_MAX 2u

/* Copies of .eh_frame and .debug_frame, as far as the file has them. Copies, because the file may be overwritten later. */
struct cfi_sections {
	struct cfi_section list[CFI_SECTIONS_MAX];
	uint32_t count;
	const char *left_out; /* name of a compressed section that becomes too large (packed.h); null: none */
};

/* Loads the sections. pre: *sections is zeroed; the file is linked and little-endian. False: no memory. post: needs
 * cfi_sections_clear in any case. pointer_bytes: 4 or 8, by the file's class. */
bool cfi_sections_read(struct cfi_sections *sections, Elf *elf, uint8_t pointer_bytes);
void cfi_sections_clear(struct cfi_sections *sections);

#endif
