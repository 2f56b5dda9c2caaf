/* kernel_names: writes the names of the sampled kernel functions to the
 * trace, since a kernel's addresses mean nothing after the next start. */
#ifndef DWELL_HOST_SAMPLE_CODE_KERNEL_NAMES_H
#define DWELL_HOST_SAMPLE_CODE_KERNEL_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "record/sink/address_set.h"
#include "writer/trace/dwell.h"

#define KERNEL_NAMES_FROM "/proc/kallsyms"
#define KERNEL_NAMES_NOTES "/sys/kernel/notes"

/* A symbol: one line of the table. */
struct kernel_symbol {
	uint64_t address; /* not 0 */
	const char *name, *module; /* module: "[disk]"; null: the kernel itself. Valid until the next line */
	unsigned rank; /* the alias with the lowest rank counts */
	bool is_code;
};
/* Reads a table of the form of /proc/kallsyms. Calls on_symbol for each valid line with an address, in the table's order,
 * until on_symbol returns false. False: the table shows no addresses. */
bool kernel_names_read(FILE *table, bool (*on_symbol)(void *context, const struct kernel_symbol *symbol), void *context);

/* Writes the names of the functions that hold the addresses: "clear_page [kernel]", "read [disk]" for a module. The table has lines
 * of address, kind of symbol, name and module, in any order. notes: the file with the build-id. Reads each line once, and keeps no
 * more lines than there are addresses. False: the table shows no addresses, and why has the reason, for people. */
bool kernel_names_write(
	struct address_set *addresses, const char *table, const char *notes, struct trace_writer *writer, char why[static 200]);

#endif
