/* outline: order and visibility of rows (outline.h). */
#include "tui/outline.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void outline_clear(struct outline *outline)
{
	free(outline->parents);
	free(outline->order);
	free(outline->open);
	free(outline->has_more);
	free(outline->shown);
	*outline = (struct outline){0};
}

/* Lists the visible rows. */
static void update_shown(struct outline *outline)
{
	uint32_t hidden_below = OUTLINE_NONE;

	outline->shown_count = 0;
	for (size_t i = 0; i < outline->count; i++) {
		uint32_t row = outline->order[i], depth = outline->grid->depths[row];

		if (hidden_below != OUTLINE_NONE && depth > hidden_below)
			continue;
		hidden_below = outline->has_more[row] && !outline->open[row] ? depth : OUTLINE_NONE;
		outline->shown[outline->shown_count++] = row;
	}
}

/* The parent of a row is the last earlier row with a smaller depth. The search is
 * short: from the previous row on, it visits one row per level. */
static void find_parents(struct outline *outline)
{
	for (uint32_t row = 0; row < outline->count; row++) {
		uint32_t above = row ? row - 1 : OUTLINE_NONE;

		while (above != OUTLINE_NONE && outline->grid->depths[above] >= outline->grid->depths[row])
			above = outline->parents[above];
		outline->parents[row] = above;
		if (above != OUTLINE_NONE)
			outline->has_more[above] = true;
	}
}

bool outline_set(struct outline *outline, const struct grid *grid)
{
	size_t count = grid->row_count, room = count ? count : 1;

	outline_clear(outline);
	*outline = (struct outline){.grid = grid,
		.count = count,
		.parents = malloc(room * sizeof *outline->parents),
		.order = malloc(room * sizeof *outline->order),
		.open = calloc(room, sizeof *outline->open),
		.has_more = calloc(room, sizeof *outline->has_more),
		.shown = malloc(room * sizeof *outline->shown)};
	if (!outline->parents || !outline->order || !outline->open || !outline->has_more || !outline->shown) {
		outline_clear(outline);
		return false;
	}
	find_parents(outline);
	for (uint32_t row = 0; row < count; row++) {
		outline->order[row] = row;
		outline->open[row] = !grid->depths[row];
	}
	update_shown(outline);
	return true;
}

/* ---- sorting ---- */

struct sorting {
	const struct outline *outline;
	uint32_t column;
	enum unit unit;
	bool is_reversed;
};

/* Positive: a comes before b, unless the order is reversed. */
static int compare_numbers(const struct cell *a, const struct cell *b, enum unit unit)
{
	switch (unit) {
	case UNIT_TEXT:
	case UNIT_NAME:
		return -strcasecmp(a->text, b->text); /* texts sort in ascending order */
	case UNIT_NS_SIGNED:
	case UNIT_TICKS_SIGNED:
		return (a->signed_count > b->signed_count) - (a->signed_count < b->signed_count);
	case UNIT_PERCENT:
	case UNIT_PERCENT_CHANGE:
	case UNIT_POINTS:
	case UNIT_POINTS_UNSIGNED:
	case UNIT_MEAN:
	case UNIT_NS_MEAN:
	case UNIT_BAR:
		return (a->real > b->real) - (a->real < b->real);
	default:
		return (a->count > b->count) - (a->count < b->count);
	}
}

static int compare(const void *left, const void *right, void *context)
{
	const struct sorting *sorting = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	uint32_t over_a = sorting->outline->parents[a], over_b = sorting->outline->parents[b];
	const struct cell *cell_a, *cell_b;
	int order = 0;

	if (over_a != over_b) /* outermost rows, which have no parent, come first: −1 + 1 is 0 */
		return over_a + 1 < over_b + 1 ? -1 : 1;
	if (sorting->column != OUTLINE_NONE) {
		cell_a = grid_row(sorting->outline->grid, a) + sorting->column;
		cell_b = grid_row(sorting->outline->grid, b) + sorting->column;
		if (cell_a->absent != cell_b->absent)
			return cell_a->absent ? 1 : -1;
		if (!cell_a->absent)
			order = -compare_numbers(cell_a, cell_b, sorting->unit);
	}
	if (sorting->is_reversed)
		order = -order;
	return order ? order : a < b ? -1 : a > b;
}

/* Sets order: each row, then all its descendants. by_parent: all rows, siblings next to each other and in their order. Without
 * recursion, because the data determine the depth. Returns false if out of memory. */
static bool put_under_parents(struct outline *outline, const uint32_t *by_parent)
{
	uint32_t *first = malloc((outline->count + 1) * sizeof *first), *next = malloc((outline->count + 1) * sizeof *next);
	uint32_t row = OUTLINE_NONE;
	size_t put = 0;

	if (!first || !next) {
		free(first);
		free(next);
		return false;
	}
	memset(first, 0xff, (outline->count + 1) * sizeof *first);
	for (size_t i = outline->count; i--;) { /* links each group into a chain; the chain of
	                                           the outermost rows is in the last place */
		uint32_t over = outline->parents[by_parent[i]];
		size_t at = over == OUTLINE_NONE ? outline->count : over;

		next[by_parent[i]] = first[at];
		first[at] = by_parent[i];
	}
	for (row = first[outline->count]; row != OUTLINE_NONE;) {
		outline->order[put++] = row;
		if (first[row] != OUTLINE_NONE) {
			row = first[row];
			continue;
		}
		while (row != OUTLINE_NONE && next[row] == OUTLINE_NONE)
			row = outline->parents[row];
		if (row != OUTLINE_NONE)
			row = next[row];
	}
	free(first);
	free(next);
	return true;
}

bool outline_sort(struct outline *outline, uint32_t column, bool is_reversed)
{
	struct sorting sorting = {outline, column, UNIT_COUNT, is_reversed};
	uint32_t *rows = malloc((outline->count + 1) * sizeof *rows);
	bool done;

	if (!rows)
		return false;
	if (column != OUTLINE_NONE)
		sorting.unit = outline->grid->columns[column].unit;
	for (uint32_t row = 0; row < outline->count; row++)
		rows[row] = row;
	qsort_r(rows, outline->count, sizeof *rows, compare, &sorting);
	done = put_under_parents(outline, rows);
	free(rows);
	if (done)
		update_shown(outline);
	return done;
}

/* ---- opening ---- */

void outline_open(struct outline *outline, uint32_t row, bool open, bool all_below)
{
	outline->open[row] = open;
	/* In the grid, all descendants of a row directly follow it. */
	for (size_t i = row + (size_t)1; all_below && i < outline->count && outline->grid->depths[i] > outline->grid->depths[row];
		i++)
		outline->open[i] = open;
	update_shown(outline);
}

void outline_reveal(struct outline *outline, uint32_t row)
{
	for (uint32_t over = outline->parents[row]; over != OUTLINE_NONE; over = outline->parents[over])
		outline->open[over] = true;
	update_shown(outline);
}

size_t outline_find(const struct outline *outline, uint32_t row)
{
	size_t at = 0;

	while (at < outline->shown_count && outline->shown[at] != row)
		at++;
	return at;
}
