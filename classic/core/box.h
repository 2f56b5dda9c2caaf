/* SPDX-License-Identifier: MIT
 *
 * Boxed tables with a bar at the end of each row. A width is the width of
 * a column without the blank at each side; a width of 0 ends the list.
 *
 *     dwell_box_head(put, widths, titles, true);
 *     dwell_box_begin(put);
 *     …the first cell, as wide as its column…
 *     dwell_box_next(put);
 *     …
 *     dwell_box_end(put, true, count, largest);
 *     dwell_box_rule(put, widths, true);
 */
#ifndef DWELL_CLASSIC_CORE_BOX_H
#define DWELL_CLASSIC_CORE_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "classic/core/put.h"

/* Writes a horizontal line. */
void dwell_box_rule(const struct dwell_put *put, const size_t *widths, bool has_bars);
/* Writes the titles between two lines: the first title right-aligned, the others centred. */
void dwell_box_head(const struct dwell_put *put, const size_t *widths, const char *const *titles, bool has_bars);
void dwell_box_begin(const struct dwell_put *put);
void dwell_box_next(const struct dwell_put *put);
/* Ends a row. The bar fills count ÷ largest of its columns, rounded down; largest 0 leaves the bar empty.
 * pre: count <= largest. */
void dwell_box_end(const struct dwell_put *put, bool has_bars, uintptr_t count, uintptr_t largest);

#endif
