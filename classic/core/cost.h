/* SPDX-License-Identifier: MIT
 *
 * Function cost: turns lines of entries and exits (classic/core/lines.h) into statistics. core/pair.c pairs them,
 * on a clock that runs only while the thread runs: the time away is subtracted from each tick before pairing.
 *
 * Counting needs no memory but the lines and the rows, however deep the calls are. Only the
 * innermost open calls are frames; the outer ones stand in lines that were already read.
 * The time of an open call is charged piece by piece, and the call is counted at its end. */
#ifndef DWELL_CLASSIC_CORE_COST_H
#define DWELL_CLASSIC_CORE_COST_H

#include <stdbool.h>

#include "classic/core/lines.h"

/* Makes statistics without rows of the bytes. Returns the control area, which begins up to 7 bytes behind buffer to be
 * aligned. Returns null when two rows do not fit; older statistics there become invalid then, and nothing else is written. */
struct lines_stats *dwell_cost_make_stats(void *buffer, uint32_t bytes);

/* Where the statistics of a buffer begin. */
static inline struct lines_stats *dwell_cost_stats_at(void *buffer)
{
	return (struct lines_stats *)((lines_word)buffer + (-(lines_word)buffer % sizeof(uint64_t)));
}

/* Returns the statistics that dwell_cost_make_stats made of this buffer, or null. Reads the place of their control area. */
struct lines_stats *dwell_cost_find_stats(void *buffer);

static inline struct lines_row *dwell_cost_rows(const struct lines_stats *stats)
{
	return (struct lines_row *)stats->begin;
}

/* Counts lines of one thread, in their order, into the rows. Afterwards the first lines are entries of the calls
 * that are still open, at the last line's time. Returns the number of these entries. The caller puts the entries in
 * front of the lines that the thread records next, so the result does not depend on where the caller cut the lines.
 * pre: no other thread counts into these statistics.
 * Context: 1 KiB of stack; 60 instructions a line, and 4 for each row that the search passes. */
uint32_t dwell_cost_count(struct lines_stats *stats, lines_word *lines, uint32_t count);

#endif
