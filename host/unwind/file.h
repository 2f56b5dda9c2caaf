/* file: the rules of an ELF file, found by address. */
#ifndef DWELL_HOST_UNWIND_FILE_H
#define DWELL_HOST_UNWIND_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/cpu.h"
#include "unwind/rule.h"
#include "util/diag.h"

/* The tables of an ELF file. Null: no memory, or no ELF file of a processor whose stacks can be unwound, and a diag (a warning) if diag
 * is not null. A file without tables is not null: nothing is known in it. */
struct unwind_file;
struct unwind_file *make_unwind_file(const char *path, struct diag *diag);
void free_unwind_file(struct unwind_file *file);
/* The function that holds an address (of the file): [*low, *high). False: none. A part that was moved away (.cold) is one of its own. */
bool unwind_file_find(const struct unwind_file *file, uint64_t address, uint64_t *low, uint64_t *high);

/* Internal to unwind/: */
const struct cpu *unwind_file_cpu(const struct unwind_file *file);
/* The rule at an address of the file; null: none, or it makes no sense. Valid until the next one is asked for. */
const struct rule *unwind_file_rule(struct unwind_file *file, uint64_t address);

#endif
