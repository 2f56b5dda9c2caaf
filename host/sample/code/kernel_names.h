/* kernel_names: what the operating system's functions are called in which samples were taken, for the trace: addresses of a kernel mean
 * nothing after the next start. */
#ifndef DWELL_HOST_SAMPLE_CODE_KERNEL_NAMES_H
#define DWELL_HOST_SAMPLE_CODE_KERNEL_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "record/sink/address_set.h"
#include "writer/trace/dwell.h"

#define KERNEL_NAMES_FROM "/proc/kallsyms"
#define KERNEL_NAMES_NOTES "/sys/kernel/notes"

/* A line of the table. */
struct kernel_symbol {
	uint64_t address; /* not 0 */
	const char *name, *module; /* "[disk]"; null: of the kernel itself. Valid until the next one */
	unsigned rank; /* lower is the better one of aliases */
	bool is_code;
};
/* Each line that makes sense and has an address, in the table's order, until see returns false. False: no address is shown. */
bool kernel_names_read(FILE *table, bool (*see)(void *context, const struct kernel_symbol *symbol), void *context);

/* Writes the names of the functions that hold the addresses, "clear_page [kernel]", "read [disk]" of a module, as the table says:
 * lines of address, kind of symbol, name and module, in any order. notes: where the build-id is. Reads each line once, and keeps as
 * much as there are addresses. False: addresses are not shown, and why says why not, for people. */
bool kernel_names_write(
	struct address_set *addresses, const char *table, const char *notes, struct trace_writer *writer, char why[static 200]);

#endif
