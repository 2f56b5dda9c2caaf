/* piece: one object file's part of a section, as linkers of Texas Instruments
 * list it in COFF and maps. No function crosses the end of a piece. */
#ifndef DWELL_CLASSIC_HOST_SYMBOL_TI_PIECE_H
#define DWELL_CLASSIC_HOST_SYMBOL_TI_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct piece {
	uint64_t low, high;
	const char *name; /* the section's name in the object file; null: not needed */
	bool has_functions; /* a symbol names a function in it */
};

struct pieces {
	struct piece *list;
	size_t count, capacity;
};

/* False: no memory. */
bool pieces_add(struct pieces *pieces, uint64_t low, uint64_t high, const char *name);
/* Sorts the pieces; of pieces with one start the shortest stays. */
void pieces_finish(struct pieces *pieces);
/* Returns the piece that contains the address, else null. pre: finished. */
struct piece *pieces_find(const struct pieces *pieces, uint64_t address);
void pieces_clear(struct pieces *pieces);

#endif
