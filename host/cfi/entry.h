/* entry: reads the entries of .eh_frame and .debug_frame, as in the DWARF standard, section 6.4.
 * An FDE describes one range of code; a CIE has the part that many FDEs share. For unwinding
 * (unwind/) and for finding functions (symbol/). Little-endian; all input is checked. */
#ifndef DWELL_HOST_CFI_ENTRY_H
#define DWELL_HOST_CFI_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "cfi/cursor.h"
#include "util/bytes.h"

/* A section, and its address in the file's address space. */
struct cfi_section {
	struct bytes bytes;
	uint64_t address;
	uint8_t pointer_bytes; /* 4 or 8 */
	bool is_debug_frame;
};

/* An FDE: its range of code, and where the FDE and its CIE are. */
struct cfi_entry {
	uint64_t low, high;
	uint32_t section; /* index for the caller's use; cfi_next sets 0 */
	uint32_t cie, fde; /* offsets in the section */
};

/* Reads the entry at *offset and moves *offset to the next. False: the section ends, or is damaged
 * from here on. entry->high is not above low if the entry is no FDE, or an FDE for no code. */
bool cfi_next(const struct cfi_section *section, uint64_t *offset, struct cfi_entry *entry);

/* A CIE. */
struct cfi_cie {
	uint64_t code_align; /* factor of address advances, in bytes */
	int64_t data_align; /* factor of stack offsets, in bytes; mostly negative */
	uint8_t ra; /* register number that stands for the return address */
	uint8_t encoding; /* of pointers to code: DW_EH_PE_… */
	uint8_t lsda_encoding; /* of the pointer to the exception tables; 0xff: the FDEs have none */
	bool is_signal, has_data; /* the FDEs describe signal trampolines; the FDEs have augmentation data */
	struct bytes program; /* sets the initial rules */
};
/* Reads an FDE's CIE, and the FDE's own program, which runs after the CIE's. False: damaged. */
bool cfi_read_entry(const struct cfi_section *section, const struct cfi_entry *entry, struct cfi_cie *cie, struct bytes *program);
/* Finds the address of the exception table (LSDA) for the entry's code, as in the file. False: none, or damaged. */
bool cfi_get_lsda(const struct cfi_section *section, const struct cfi_entry *entry, uint64_t *address);
/* Reads a pointer with an encoding DW_EH_PE_…, as an address in the file. Sets cursor->bad if the encoding is not supported. pre:
 * the cursor's bytes begin at the section's first byte. */
uint64_t cfi_take_pointer(struct cursor *cursor, const struct cfi_section *section, uint8_t encoding);

#endif
