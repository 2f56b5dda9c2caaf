/* inline_name: what a function is called that debug information tells of, and where it is declared; for inline.c. */
#ifndef DWELL_HOST_SYMBOL_DEBUG_INLINE_NAME_H
#define DWELL_HOST_SYMBOL_DEBUG_INLINE_NAME_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* How much of a file may still be looked at, in bytes. */
struct inline_work {
	uint64_t left;
};

/* False: that was too much. */
static inline bool inline_spend(struct inline_work *work, uint64_t bytes)
{
	work->left = bytes < work->left ? work->left - bytes : 0;
	return work->left;
}

/* Goes on to the next one of the same parent. False: it was the last, or the file makes no sense from here on. */
bool inline_go_on(struct inline_work *work, Dwarf_Die *die);

/* Of a copy of the function, or of itself. To be freed. name: what a symbol of it would be called; where it can have none, as
 * functions of one file in C++, "shape::(anonymous namespace)::area". declared: "/home/me/shape.h:12". Null: not known, no memory,
 * or too much work. */
void inline_make_names(struct inline_work *work, Dwarf_Die *die, char **name, char **declared);

#endif
