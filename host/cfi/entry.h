/* entry: which code call frame information tells of: the entries of .eh_frame and .debug_frame, as in the DWARF standard, section 6.4.
 * For who unwinds (unwind/), and for who only wants to know where functions begin (symbol/). Little-endian; nothing is believed. */
#ifndef DWELL_HOST_CFI_ENTRY_H
#define DWELL_HOST_CFI_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "cfi/cursor.h"
#include "util/bytes.h"

/* A section, and where it is in the file's address space. */
struct cfi_section {
	struct bytes bytes;
	uint64_t address;
	uint8_t pointer_bytes; /* 4 or 8 */
	bool is_debug_frame;
};

/* One entry: what it says of which code. */
struct cfi_entry {
	uint64_t low, high;
	uint32_t section; /* the caller's */
	uint32_t cie, fde; /* offsets of the entries in the section */
};

/* The entry at *offset, which moves to the next one. False: the section ends, or makes no sense from here on. entry->high is not above low
 * where it is no FDE, or one for nothing. */
bool cfi_next(const struct cfi_section *section, uint64_t *offset, struct cfi_entry *entry);

/* What an entry says that many have in common. */
struct cfi_cie {
	uint64_t code_align;
	int64_t data_align;
	uint8_t ra;
	uint8_t encoding; /* of pointers */
	uint8_t lsda_encoding;
	bool is_signal, has_data;
	struct bytes program;
};
/* What it says: instructions, behind those of its CIE. False: it makes no sense. */
bool cfi_open(const struct cfi_section *section, const struct cfi_entry *entry, struct cfi_cie *cie, struct bytes *program);
/* Where the tables are that tell what the code does when an exception passes through it. False: there are none. */
bool cfi_get_lsda(const struct cfi_section *section, const struct cfi_entry *entry, uint64_t *address);
/* A pointer at the cursor, which is over the section from its first byte on. */
uint64_t cfi_take_pointer(struct cursor *cursor, const struct cfi_section *section, uint8_t encoding);

#endif
