/* SPDX-License-Identifier: MIT
 *
 * The list of memory in which statistics were made. The memory's content is no proof: it
 * may be left from before, the bytes may belong to another use now, or the memory may not
 * exist, if there were too few bytes. Only statistics in this list are read or written. */
#ifndef DWELL_CLASSIC_RECORDER_LINES_MADE_H
#define DWELL_CLASSIC_RECORDER_LINES_MADE_H

#include <stdbool.h>
#include <stdint.h>

/* Entries of the list. If it was ever full, the memory's content decides instead. */
#define LINES_MADE_MOST 16u

/* Adds statistics with this control area, made of these bytes; removes older statistics that overlap the bytes.
 * Context: one call at a time; 5 instructions for each of LINES_MADE_MOST. */
void dwell_made_add(const void *stats, const void *memory, uint32_t bytes);

/* Removes the statistics in these bytes. Fewer than 8 bytes count as 8, because an aligned control area may begin behind them.
 * Context: as above. */
void dwell_made_forget(const void *memory, uint32_t bytes);

/* Returns the control area of the first statistics in the list that overlap these bytes; null: none.
 * Context: as above. */
void *dwell_made_find(const void *memory, uint32_t bytes);

/* Whether this control area may be read: it is in the list, or the list was full once.
 * Context: as above. */
bool dwell_made_knows(const void *stats);

#endif
