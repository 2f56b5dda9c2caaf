/* dwarf_file: the debug information of one program, from the program or its
 * separate debug file, and the units at an address. For line.c and producer.c. */
#ifndef DWELL_HOST_SYMBOL_DEBUG_DWARF_FILE_H
#define DWELL_HOST_SYMBOL_DEBUG_DWARF_FILE_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/symbol.h"

struct dwarf_file {
	int fd;
	Elf *elf;
	Dwarf *dwarf;     /* null: no debug information */
	uint64_t bytes;   /* of the file */
	Dwarf_Die *units; /* the readable ones */
	size_t unit_count, unit_capacity;
	struct dwarf_range *ranges; /* of code; by address */
	size_t range_count, range_capacity;
};

/* Opens the program at path, or the program's debug file; request as in symbol.h. Never fails: without debug information of the
 * wanted build, file has no units. The code that reads the symbols reports why a file cannot be read. */
void dwarf_file_open(struct dwarf_file *file, const char *path, const struct symbol_request *request, struct diag *diag);
void dwarf_file_close(struct dwarf_file *file);

/* Iterates over the units that hold a link-time address; mostly there is one:
 *
 *     struct dwarf_search search = dwarf_file_search(file, address);
 *     while ((unit = dwarf_file_next(file, &search)))
 *
 * unit is an index into units, plus 1; 0: no more units. */
struct dwarf_search {
	uint64_t address;
	size_t at; /* number of ranges still to visit, downwards */
	uint32_t visited_count; /* number of ranges visited */
};
struct dwarf_search dwarf_file_search(const struct dwarf_file *file, uint64_t address);
uint32_t dwarf_file_next(const struct dwarf_file *file, struct dwarf_search *search);

#endif
