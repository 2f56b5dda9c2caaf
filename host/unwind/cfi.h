/* cfi: runs the program of an entry of the unwind tables (cfi/entry.h) up to an address, and returns the rule there. Internal to
 * unwind/ and plan/. */
#ifndef DWELL_HOST_UNWIND_CFI_H
#define DWELL_HOST_UNWIND_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "cfi/entry.h"
#include "unwind/rule.h"

/* Finds the rule at an address in the entry. The rule's expressions point into the section. False: the entry is damaged, or has an
 * instruction that compilers do not write; then *rule is not set. */
bool cfi_get_rule(const struct cfi_section *section, const struct cpu *cpu, const struct cfi_entry *entry, uint64_t address,
	struct rule *rule);

#endif
