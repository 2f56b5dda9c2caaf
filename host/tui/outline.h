/* outline: which rows of a grid are shown, and in which order: sorted, each under the row that it belongs to, and not under one that is
 * closed. A table without depths is a tree of one level. */
#ifndef DWELL_HOST_TUI_OUTLINE_H
#define DWELL_HOST_TUI_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/grid.h"

#define OUTLINE_NONE UINT32_MAX

struct outline {
	const struct grid *grid;
	size_t count;       /* of all rows */
	uint32_t *parents;  /* of each row, OUTLINE_NONE: outermost */
	uint32_t *order;    /* all rows */
	bool *open, *has_more; /* of each row; has_more: rows under it */
	uint32_t *shown;
	size_t shown_count;
};

/* Zeroed: empty. */
void outline_clear(struct outline *outline);
/* The rows of a grid, all but the outermost closed below. False: no memory, it is empty. */
bool outline_set(struct outline *outline, const struct grid *grid);

/* By a column (OUTLINE_NONE: as the table has them): numbers fall, texts rise, unless reversed; what is absent comes last. False: no
 * memory, all is as before. */
bool outline_sort(struct outline *outline, uint32_t column, bool is_reversed);

/* Opens or closes the row, with all below. */
void outline_open(struct outline *outline, uint32_t row, bool open, bool all_below);
/* Opens what it is under. */
void outline_reveal(struct outline *outline, uint32_t row);
/* Where it is shown; shown_count: it is not. */
size_t outline_find(const struct outline *outline, uint32_t row);

#endif
