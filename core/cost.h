/* SPDX-License-Identifier: MIT
 *
 * Function cost: lines of entries and exits (core/lines.h) become statistics. Pairing is core/pair.c's, on a clock that runs
 * while the thread does: what it was away is taken out of every tick before it gets there.
 *
 * Needs no memory but the lines and the rows, however deep the calls are: of the open calls those above a few stand in lines
 * that were read already. Their times are counted up to there then, piece by piece; a call is counted when it ends. */
#ifndef DWELL_CORE_COST_H
#define DWELL_CORE_COST_H

#include <stdbool.h>

#include "core/lines.h"

/* Makes statistics of the bytes: no rows yet. Returns them, somewhat behind buffer if that is not aligned; null when two
 * rows do not fit: what was there is none any more then, and nothing else is written. */
struct lines_stats *dwell_cost_make_stats(void *buffer, uint32_t bytes);

/* Where those of a buffer begin. */
static inline struct lines_stats *dwell_cost_stats_at(void *buffer)
{
	return (struct lines_stats *)((lines_word)buffer + (-(lines_word)buffer % sizeof(uint64_t)));
}

/* What dwell_cost_make_stats made of this buffer, or null when it did not. Reads the control area that would be there. */
struct lines_stats *dwell_cost_find_stats(void *buffer);

static inline struct lines_row *dwell_cost_rows(const struct lines_stats *stats)
{
	return (struct lines_row *)stats->begin;
}

/* Counts lines, of one thread and in their order, into the rows. Afterwards the first lines are entries of the calls that are
 * open, as of the last line's time; how many is returned. They are to stand in front of those that the thread records next: then
 * it does not matter where the lines were cut.
 * pre: nobody else does it with these statistics.
 * Context: 1 KiB of stack; 60 instructions a line, and 4 for each row that is not the one. */
uint32_t dwell_cost_count(struct lines_stats *stats, lines_word *lines, uint32_t count);

#endif
