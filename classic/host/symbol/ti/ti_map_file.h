/* ti_map_file: parses a map that a linker of Texas Instruments wrote, into lists. ti_map.c decides what is a function. */
#ifndef DWELL_CLASSIC_HOST_SYMBOL_TI_TI_MAP_FILE_H
#define DWELL_CLASSIC_HOST_SYMBOL_TI_TI_MAP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/format.h"
#include "classic/host/symbol/ti/piece.h"

struct ti_map_global {
	uint64_t address;
	const char *name;
};

struct ti_map_file {
	char *text; /* names point into it; lines end in zeros */
	bool is_coff; /* names of C have an underscore before them */
	bool has_segments; /* the map marks executable segments; else sections count as code unless their names are of data */
	struct pieces code;  /* sections or segments */
	struct pieces rows;  /* the parts of object files, of all sections */
	struct ti_map_global *globals; /* each once or twice: the map lists them by name, and by address */
	size_t global_count, global_capacity;
};

bool ti_map_claims(struct bytes head);

/* Reads the whole file. False: the file is unusable, and a diag has the reason.
 * Call ti_map_close in any case; a caller that keeps text sets it to null before. */
bool ti_map_open(struct ti_map_file *file, const struct symbol_input *input);
void ti_map_close(struct ti_map_file *file);

#endif
