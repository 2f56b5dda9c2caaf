/* cfi: what call frame information says of an address: the instructions of its entries, run. Internal to unwind/. */
#ifndef DWELL_HOST_UNWIND_CFI_H
#define DWELL_HOST_UNWIND_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "cfi/entry.h"
#include "unwind/rule.h"

/* The rule at an address in the entry. False: it makes no sense, or is one that nobody writes. */
bool cfi_get_rule(const struct cfi_section *section, const struct cpu *cpu, const struct cfi_entry *entry, uint64_t address,
	struct rule *rule);

#endif
