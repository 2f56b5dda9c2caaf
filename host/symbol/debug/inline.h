/* inline: address → the functions whose code the compiler put there, into the function that is there; for one file, or what was taken
 * out of it into a separate debug file.
 *
 * A unit is read when the first address of it is asked for. All work is bounded by the size of the file, whatever it says. */
#ifndef DWELL_HOST_SYMBOL_DEBUG_INLINE_H
#define DWELL_HOST_SYMBOL_DEBUG_INLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/symbol.h"

/* The deepest that is looked for; of code that is in more functions than that, the outermost are told. */
#define INLINE_DEPTH_MAX 128u

struct inline_table;

/* Never fails: a file without debug information, of another build, or that cannot be read gives a table that knows nothing; why a file
 * cannot be read is said by who reads its symbols. want as for symbols. Null when there is no memory. */
struct inline_table *make_inline_table(const char *path, const struct symbol_want *want, struct diag *diag);
void free_inline_table(struct inline_table *table);

/* Whether there is any debug information. */
bool inline_table_has_units(const struct inline_table *table);
/* Whether it said so much that the rest was not read: what was not told so far is not told any more. */
bool inline_table_is_spent(const struct inline_table *table);

/* A function that was put into another one. Owned by the table. */
struct inline_frame {
	const char *name;     /* as a symbol of it would be called, mangled; or, where it can have none, as people write it. Any bytes */
	const char *declared; /* "/home/me/src/shape.h:12", as the compiler called the file; null: not known */
};
/* The functions at a link-time address, outermost first, without the one that they were put into. Returns how many: 0 is usual. */
uint32_t inline_table_find(struct inline_table *table, uint64_t address, struct inline_frame frames[static INLINE_DEPTH_MAX]);

#endif
