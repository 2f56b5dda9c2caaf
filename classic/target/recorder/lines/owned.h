/* SPDX-License-Identifier: MIT
 *
 * The list of memory ranges in which threads record. No two threads may record in the same bytes:
 * one would write its lines over the control area of the other, which holds the address of the next
 * line. The memory's content is no proof of use, since it may be left from before; hence this list. */
#ifndef DWELL_CLASSIC_RECORDER_LINES_OWNED_H
#define DWELL_CLASSIC_RECORDER_LINES_OWNED_H

#include <stdbool.h>
#include <stdint.h>

/* Entries of the list. Further ranges are only counted; while there are any, an area's own mark "in use" decides. */
#define LINES_OWNED_MOST 64u

/* Adds a range. False, and not added: a byte of the range belongs to another range;
 * or further ranges are unlisted, and the area's own mark is "in use" (says_in_use).
 * Context: one call at a time; 5 instructions for each of LINES_OWNED_MOST. */
bool dwell_lines_own(const void *memory, uint32_t bytes, bool says_in_use);

/* Whether one of these bytes is in a range of the list.
 * Context: as above. */
bool dwell_lines_is_owned(const void *memory, uint32_t bytes);

/* Removes the range around this address.
 * Context: as above. */
void dwell_lines_disown(const void *area);

#endif
