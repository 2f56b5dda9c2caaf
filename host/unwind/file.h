/* file: the rules of an ELF file, found by address. Internal to unwind/. */
#ifndef DWELL_HOST_UNWIND_FILE_H
#define DWELL_HOST_UNWIND_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/rule.h"
#include "unwind/unwind.h"

const struct cpu *unwind_file_cpu(const struct unwind_file *file);
/* The rule at an address of the file; null: none, or it makes no sense. Valid until the next one is asked for. */
const struct rule *unwind_file_rule(struct unwind_file *file, uint64_t address);

#endif
