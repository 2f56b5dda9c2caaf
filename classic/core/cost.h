/* SPDX-License-Identifier: MIT
 *
 * Function cost: turns lines of entries and exits (classic/core/lines.h) into statistics. An exit ends the innermost open
 * call, because the recorder writes both lines of a call or none. So there is nothing to match, and core/pair.c is not needed.
 *
 * Counting needs no memory but the lines and the rows, however deep the calls are: the open calls stand in counted
 * lines. The time between two lines is charged at once to the innermost open call.
 *
 * A debugger may stop the counting at any instruction: LINES_STATS_STEP tells how many lines are in the rows. The next line may
 * be in the rows, too. */
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

/* Lines of one thread on their way into the rows:
 *     dwell_cost_begin(&counting, stats, lines);
 *     dwell_cost_count(&counting, count);		again, when there are more lines
 *     open = dwell_cost_end(&counting); */
struct dwell_counting {
	struct lines_stats *stats;
	/* In the memory of counted lines, outermost first, each open call has three words: its name; the time up to which the total
	 * of its function is charged; the index of its row, shifted left by one. Bit 0 of the last word: the call is the outermost
	 * call of the function. */
	lines_word *slots;
	uint32_t depth;      /* open calls */
	uint32_t row;        /* of the innermost open call */
	uint32_t next;       /* the next line */
	lines_word now;      /* ticks that the thread ran, since charge_open */
	lines_word last_tick;
};

/* pre: no other thread counts into these statistics. */
void dwell_cost_begin(struct dwell_counting *counting, struct lines_stats *stats, lines_word *lines);

/* Counts the lines up to this number of lines.
 * Context: 64 bytes of stack; 50 instructions a line, and 4 for each row that the search passes. */
void dwell_cost_count(struct dwell_counting *counting, uint32_t count);

/* Afterwards the first lines are entries of the calls that are still open, at the last line's time. Returns the number of these
 * entries. The caller puts the entries in front of the lines that the thread records next, so the result does not depend on
 * where the caller cut the lines. The caller removes the lines, then sets STEP of the statistics to 0. */
uint32_t dwell_cost_end(struct dwell_counting *counting);

#endif
