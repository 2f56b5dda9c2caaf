/* coff_file: reads Texas Instruments' COFF, versions 0, 1 and 2, in either byte order:
 * header, sections, symbols, strings. coff.c decides which symbols are functions. */
#ifndef DWELL_CLASSIC_HOST_SYMBOL_TI_COFF_FILE_H
#define DWELL_CLASSIC_HOST_SYMBOL_TI_COFF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/format.h"

struct coff_section {
	uint64_t low, high; /* in the table's address space; equal if the section has no code */
	uint64_t data_low, data_high; /* the same for variables; only of linked files */
	uint64_t base; /* added to a symbol's value: 0 in linked files */
};

struct coff_file {
	const struct symbol_input *input;
	bool is_big, is_linked;
	bool is_cut; /* already reported; later problems follow from the cut, and need no diag */
	uint32_t version; /* 0, 1, 2 */
	uint32_t table_at, claimed_count;
	struct coff_section *sections; /* sections with code, by number: from 1 on */
	uint32_t section_count;
	uint8_t *entries; /* the entries that the file has */
	uint32_t count;
	uint32_t cut_at; /* the entry whose auxiliary entries exceed the table; UINT32_MAX: none */
	char *strings; /* the whole string table, with a zero behind it */
	size_t string_bytes;
	char *short_names; /* names stored in entries, with a zero behind each, at 9 times the entry's index */
};

enum { COFF_EXTERNAL = 2, COFF_STATIC = 3, COFF_LABEL = 6 }; /* storage classes */

struct coff_entry {
	uint32_t index; /* in the table */
	const char *name; /* null: beyond the string table */
	uint32_t value;
	int32_t section; /* from 1 on; 0: undefined; below 0: no section */
	uint16_t type;
	uint8_t storage_class;
	uint8_t aux_count;
	uint32_t aux_first, aux_second; /* of the first auxiliary entry: two words */
};

bool coff_claims(struct bytes head);

/* Reads the whole file. False: the file is unusable, and a diag has the reason. Call coff_close
 * in any case; a caller that keeps strings and short_names sets them to null before. */
bool coff_open(struct coff_file *file, const struct symbol_input *input);
void coff_close(struct coff_file *file);

/* Returns the offset of an entry of the symbol table in the file. */
uint64_t coff_offset(const struct coff_file *file, uint32_t index);

/* Returns the entry at *index, and moves *index past the entry and its auxiliary entries. False: no entry
 * is left, or the auxiliary entries exceed the table, which sets cut_at. */
bool coff_next(struct coff_file *file, uint32_t *index, struct coff_entry *entry);

#endif
