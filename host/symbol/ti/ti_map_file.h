/* ti_map_file: the text of a map that a linker of Texas Instruments wrote, as lists. Which of it are functions is for ti_map.c. */
#ifndef DWELL_HOST_SYMBOL_TI_TI_MAP_FILE_H
#define DWELL_HOST_SYMBOL_TI_TI_MAP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/format.h"
#include "symbol/ti/piece.h"

struct ti_map_global {
	uint64_t address;
	const char *name;
};

struct ti_map_file {
	char *text; /* what names point into; lines end in zeros */
	bool is_coff; /* names of C have an underscore before them */
	bool has_segments; /* it tells which code is executable; else sections whose names tell of no data count */
	struct pieces code;  /* sections */
	struct pieces rows;  /* what object files gave to them, to all of them */
	struct ti_map_global *globals; /* each once or twice: they are listed by name, and by address */
	size_t global_count, global_capacity;
};

bool ti_map_claims(struct bytes head);

/* Reads all of it. False: there is no use in going on, and a diag says why. In any case ti_map_close, which leaves text to who took it
 * (and set it to null). */
bool ti_map_open(struct ti_map_file *file, const struct symbol_input *input);
void ti_map_close(struct ti_map_file *file);

#endif
