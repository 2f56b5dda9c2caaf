/* dwarf_file: the debug information of one program, from itself or from its separate debug file, and which of its units hold an
 * address. For line.c. */
#ifndef DWELL_HOST_SYMBOL_DEBUG_DWARF_FILE_H
#define DWELL_HOST_SYMBOL_DEBUG_DWARF_FILE_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/symbol.h"

struct dwarf_file {
	int fd;
	Elf *elf;
	Dwarf *dwarf;     /* null: there is no debug information */
	uint64_t bytes;   /* of the file */
	Dwarf_Die *units; /* those that can be read */
	size_t unit_count, unit_capacity;
	struct dwarf_range *ranges; /* of code; by address */
	size_t range_count, range_capacity;
};

/* Opens the program at path, or its debug file; want as for symbols. Never fails: where there is nothing, or of another build, there are no
 * units; why a file cannot be read is said by who reads its symbols. */
void dwarf_file_open(struct dwarf_file *file, const char *path, const struct symbol_want *want, struct diag *diag);
void dwarf_file_close(struct dwarf_file *file);

/* The units that hold a link-time address, one after the other; mostly there is one:
 *
 *     struct dwarf_search search = dwarf_file_search(file, address);
 *     while ((unit = dwarf_file_next(file, &search)))
 *
 * unit is an index of units plus 1. */
struct dwarf_search {
	uint64_t address;
	size_t at;
	uint32_t looked;
};
struct dwarf_search dwarf_file_search(const struct dwarf_file *file, uint64_t address);
uint32_t dwarf_file_next(const struct dwarf_file *file, struct dwarf_search *search);

#endif
