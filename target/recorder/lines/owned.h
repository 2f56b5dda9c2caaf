/* SPDX-License-Identifier: MIT
 *
 * Which memory threads record in. No two of them may do so in the same bytes: one would write its lines over the control area of
 * the other, which says where to write. What stands in memory does not tell, since it may be left from before; so the ranges are
 * kept here. */
#ifndef DWELL_RECORDER_LINES_OWNED_H
#define DWELL_RECORDER_LINES_OWNED_H

#include <stdbool.h>
#include <stdint.h>

/* So many are known by their ranges. Of more it is known that there are; an area that says that it is in use is believed then. */
#define LINES_OWNED_MOST 64u

/* From here on these bytes are somebody's. False, and they are not: one of them is somebody's already. says_in_use: what the area
 * there says of itself.
 * Context: one at a time; 5 instructions for each of LINES_OWNED_MOST. */
bool dwell_lines_own(const void *memory, uint32_t bytes, bool says_in_use);

/* One of these bytes is somebody's, as far as ranges are known.
 * Context: as above. */
bool dwell_lines_is_owned(const void *memory, uint32_t bytes);

/* The range around this address is nobody's any more.
 * Context: as above. */
void dwell_lines_disown(const void *area);

#endif
