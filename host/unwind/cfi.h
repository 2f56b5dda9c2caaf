/* cfi: call frame information, as in the DWARF standard, section 6.4, and in the form that .eh_frame gives it. Internal to unwind/. */
#ifndef DWELL_HOST_UNWIND_CFI_H
#define DWELL_HOST_UNWIND_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/rule.h"
#include "util/bytes.h"

/* A section, and where it is in the file's address space. */
struct cfi_section {
	struct bytes bytes;
	uint64_t address;
	bool is_debug_frame;
};

/* One entry: what it says of which code. */
struct cfi_entry {
	uint64_t low, high;
	uint32_t section;
	uint32_t cie, fde; /* offsets of the entries in the section */
};

/* The entry at *offset, which moves to the next one. False: the section ends, or makes no sense from here on. entry->high is not above low
 * where it is no FDE, or one for nothing. */
bool cfi_next(const struct cfi_section *section, const struct unwind_machine *machine, uint64_t *offset, struct cfi_entry *entry);

/* The rule at an address in the entry. False: it makes no sense, or is one that nobody writes. */
bool cfi_get_rule(const struct cfi_section *section, const struct unwind_machine *machine, const struct cfi_entry *entry, uint64_t address,
	struct rule *rule);

#endif
