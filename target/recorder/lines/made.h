/* SPDX-License-Identifier: MIT
 *
 * Where statistics were made. What stands in memory does not tell: it may be left from before, its bytes given to somebody else
 * since, or there may be no such memory, where bytes were too few. So it is kept here, and nothing else is read, or counted into. */
#ifndef DWELL_RECORDER_LINES_MADE_H
#define DWELL_RECORDER_LINES_MADE_H

#include <stdbool.h>
#include <stdint.h>

/* So many are known. When there have been more at a time what memory says is believed. */
#define LINES_MADE_MOST 16u

/* Statistics, this control area, were made of these bytes; what was made of any of them before is none any more.
 * Context: one at a time; 5 instructions for each of LINES_MADE_MOST. */
void dwell_made_add(const void *stats, const void *memory, uint32_t bytes);

/* There are none in these bytes, nor any that begin so near behind the first one that they would be taken for theirs.
 * Context: as above. */
void dwell_made_forget(const void *memory, uint32_t bytes);

/* Statistics that were made of one of these bytes: the control area of the first ones that are known; null: none.
 * Context: as above. */
void *dwell_made_find(const void *memory, uint32_t bytes);

/* Whether this control area may be read: it was made, or may have been.
 * Context: as above. */
bool dwell_made_knows(const void *stats);

#endif
