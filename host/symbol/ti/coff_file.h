/* coff_file: the bytes of Texas Instruments' COFF, versions 0, 1 and 2, in either byte order: header, sections, symbols, strings. Which
 * of the symbols are functions is for coff.c. */
#ifndef DWELL_HOST_SYMBOL_TI_COFF_FILE_H
#define DWELL_HOST_SYMBOL_TI_COFF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/format.h"

struct coff_section {
	uint64_t low, high; /* where it is in the table's address space; the same: it has no code, or is none */
	uint64_t data_low, data_high; /* likewise, of linked files' variables */
	uint64_t base; /* what to add to a symbol's value: 0 in linked files */
};

struct coff_file {
	const struct symbol_input *input;
	bool is_big, is_linked;
	bool is_cut; /* that is said: what follows from it need not be */
	uint32_t version; /* 0, 1, 2 */
	uint32_t table_at, claimed_count;
	struct coff_section *sections; /* of code, by number: from 1 on */
	uint32_t section_count;
	uint8_t *entries; /* those that the file has */
	uint32_t count;
	uint32_t cut_at; /* the entry whose further entries are beyond the table; UINT32_MAX: none */
	char *strings; /* from the string table's beginning on; a zero behind it */
	size_t string_bytes;
	char *short_names; /* of each entry whose name is in it, at 9 times its index, with a zero behind it */
};

enum { COFF_EXTERNAL = 2, COFF_STATIC = 3, COFF_LABEL = 6 }; /* storage classes */

struct coff_entry {
	uint32_t index; /* in the table */
	const char *name; /* null: beyond the string table */
	uint32_t value;
	int32_t section; /* from 1 on; 0: undefined, below: none */
	uint16_t type;
	uint8_t storage_class;
	uint8_t aux_count;
	uint32_t aux_first, aux_second; /* of the first further entry: two words */
};

bool coff_claims(struct bytes head);

/* Reads all of it. False: there is no use in going on, and a diag says why. In any case coff_close, which leaves strings and short_names
 * to who took them (and set them to null). */
bool coff_open(struct coff_file *file, const struct symbol_input *input);
void coff_close(struct coff_file *file);

/* Where an entry of the symbol table is in the file. */
uint64_t coff_offset(const struct coff_file *file, uint32_t index);

/* The entry at *index, and moves that behind it and its further entries. False: there are no more. */
bool coff_next(struct coff_file *file, uint32_t *index, struct coff_entry *entry);

#endif
