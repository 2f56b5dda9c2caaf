/* A table of functions, in memory that is given: what a target keeps that has no room for a trace. It hears of each call that a
 * fold finishes. */
#ifndef FOLD_TABLE_H
#define FOLD_TABLE_H

#include "core/fold.h"

/* One function. Zeroed: free. */
struct fold_row {
	uint64_t place;
	uint64_t calls;       /* finished, in whatever way */
	uint64_t total_ticks; /* calls within a call of the same function are not counted twice */
	uint64_t self_ticks;
	uint64_t min_ticks;   /* of complete calls; UINT64_MAX when there is none */
	uint64_t max_ticks;
	uint32_t used;
};

struct fold_table {
	struct dwell_fold_calls listener;
	const struct dwell_fold *fold;
	struct fold_row *rows;
	uint32_t mask; /* rows − 1 */
	uint32_t used;
	struct fold_row others; /* functions that found no row; its total is its self: nothing is known of their nesting */
};

/* Where the function's row is, or would be. There is always a free one, so this ends. */
static inline struct fold_row *fold_table_probe(const struct fold_table *table, uint64_t place)
{
	uint32_t at = (uint32_t)(place * UINT64_C(0x9e3779b97f4a7c15) >> 32) & table->mask;

	while (table->rows[at].used && table->rows[at].place != place)
		at = (at + 1) & table->mask;
	return &table->rows[at];
}

/* The row of a function; null when it has none. */
static inline const struct fold_row *fold_table_find(const struct fold_table *table, uint64_t place)
{
	const struct fold_row *row = fold_table_probe(table, place);

	return row->used ? row : 0;
}

static inline bool fold_table_is_nested(const struct dwell_pair *pair, uint64_t place)
{
	for (uint32_t index = pair->depth; index--;)
		if (pair->frames[index].id == place)
			return true;
	return false;
}

static inline void fold_table_take(void *context, const struct dwell_call *call)
{
	struct fold_table *table = context;
	struct fold_row *row = call->id == DWELL_ID_UNKNOWN ? &table->others : fold_table_probe(table, call->id);
	uint64_t total = 0;

	if (row != &table->others && !row->used && table->used == table->mask)
		row = &table->others;
	if (row == &table->others) {
		total = call->self_ticks;
	} else {
		if (!row->used) {
			table->used++;
			*row = (struct fold_row){.place = call->id, .min_ticks = UINT64_MAX, .used = 1};
		}
		total = fold_table_is_nested(table->fold->pair, call->id) ? 0 : call->total_ticks;
	}
	row->calls += !(call->flags & DWELL_CALL_PIECE);
	row->self_ticks += call->self_ticks;
	row->total_ticks += total;
	if (call->flags)
		return;
	if (call->total_ticks < row->min_ticks)
		row->min_ticks = call->total_ticks;
	if (call->total_ticks > row->max_ticks)
		row->max_ticks = call->total_ticks;
}

/* pre: the fold was begun; rows is zeroed memory for count rows, which is a power of two and at least 2. One row stays free. */
static inline void fold_table_begin(struct fold_table *table, struct fold_row *rows, uint32_t count, struct dwell_fold *fold)
{
	*table = (struct fold_table){.listener = {table, fold_table_take}, .fold = fold, .rows = rows, .mask = count - 1};
	table->others.min_ticks = UINT64_MAX;
	dwell_fold_set_calls(fold, &table->listener);
}

#endif
