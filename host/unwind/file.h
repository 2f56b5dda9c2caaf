/* file: finds the unwind rule for an address of an ELF file. */
#ifndef DWELL_HOST_UNWIND_FILE_H
#define DWELL_HOST_UNWIND_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/cpu.h"
#include "unwind/rule.h"
#include "util/diag.h"

/* Reads the unwind tables of an ELF file. Null: no memory, or not an ELF file of a supported processor;
 * adds a warning if diag is not null. A file without tables is not null, but has no rules. */
struct unwind_file;
struct unwind_file *make_unwind_file(const char *path, struct diag *diag);
void free_unwind_file(struct unwind_file *file);
/* Finds the function at an address of the file: [*low, *high). False: none.
 * A part moved away by the compiler (.cold) is a separate function. */
bool unwind_file_find(const struct unwind_file *file, uint64_t address, uint64_t *low, uint64_t *high);

/* Internal to unwind/: */
const struct cpu *unwind_file_cpu(const struct unwind_file *file);
/* Finds the rule at an address of the file; null: none, or damaged. Valid until the next call. */
const struct rule *unwind_file_rule(struct unwind_file *file, uint64_t address);

#endif
