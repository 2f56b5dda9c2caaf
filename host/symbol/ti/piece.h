/* piece: what one object file gave to a section of code, as linkers of Texas Instruments tell: in COFF, in maps. No function reaches out of
 * its piece. */
#ifndef DWELL_HOST_SYMBOL_TI_PIECE_H
#define DWELL_HOST_SYMBOL_TI_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct piece {
	uint64_t low, high;
	const char *name; /* as the section of the object file; null: the symbol of it is enough */
	bool has_functions; /* that somebody has named */
};

struct pieces {
	struct piece *list;
	size_t count, capacity;
};

/* False: no memory. */
bool pieces_add(struct pieces *pieces, uint64_t low, uint64_t high, const char *name);
/* Sorts them; of those that begin at one place the shortest stays. */
void pieces_finish(struct pieces *pieces);
/* The last one that begins at or below the address, if it holds it; else null. pre: finished. */
struct piece *pieces_find(const struct pieces *pieces, uint64_t address);
void pieces_clear(struct pieces *pieces);

#endif
