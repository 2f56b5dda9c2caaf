/* outline: the visible rows of a grid, and their order: sorted, each row below its parent, without the descendants of
 * closed rows. A table without depths is a tree of one level. */
#ifndef DWELL_HOST_TUI_OUTLINE_H
#define DWELL_HOST_TUI_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/grid.h"

#define OUTLINE_NONE UINT32_MAX

struct outline {
	const struct grid *grid;
	size_t count;       /* number of all rows */
	uint32_t *parents;  /* parent of each row, OUTLINE_NONE: outermost */
	uint32_t *order;    /* all rows, sorted, each row below its parent */
	bool *open, *has_more; /* for each row; has_more: the row has children */
	uint32_t *shown;    /* the visible rows of order */
	size_t shown_count;
};

/* Zeroed: empty. */
void outline_clear(struct outline *outline);
/* Takes the rows of a grid; only the outermost rows are open. Returns false if out of memory; then the outline is empty. */
bool outline_set(struct outline *outline, const struct grid *grid);

/* Sorts by a column (OUTLINE_NONE: the table's order): numbers descend, texts ascend, unless reversed; absent values come
 * last. Returns false if out of memory; then nothing changes. */
bool outline_sort(struct outline *outline, uint32_t column, bool is_reversed);

/* Opens or closes the row; all_below: its descendants, too. */
void outline_open(struct outline *outline, uint32_t row, bool open, bool all_below);
/* Opens all ancestors of the row. */
void outline_reveal(struct outline *outline, uint32_t row);
/* Returns the row's position among the visible rows; shown_count: the row is hidden. */
size_t outline_find(const struct outline *outline, uint32_t row);

#endif
