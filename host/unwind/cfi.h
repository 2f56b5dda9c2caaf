/* cfi: runs the program of a call frame entry up to an address, and gives the rule there. Internal to unwind/. */
#ifndef DWELL_HOST_UNWIND_CFI_H
#define DWELL_HOST_UNWIND_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "cfi/entry.h"
#include "unwind/rule.h"

/* Finds the rule at an address in the entry. False: the entry is damaged, or uses what no compiler writes. */
bool cfi_get_rule(const struct cfi_section *section, const struct cpu *cpu, const struct cfi_entry *entry, uint64_t address,
	struct rule *rule);

#endif
