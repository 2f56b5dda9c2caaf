/* SPDX-License-Identifier: MIT
 *
 * Boxed tables with a bar at the end of each row. Widths are of the columns without the blank at each of their sides; a width of 0
 * ends the list.
 *
 *     dwell_box_head(put, widths, titles, true);
 *     dwell_box_begin(put);
 *     …the first cell, as wide as its column…
 *     dwell_box_next(put);
 *     …
 *     dwell_box_end(put, true, count, largest);
 *     dwell_box_rule(put, widths, true);
 */
#ifndef DWELL_CORE_BOX_H
#define DWELL_CORE_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/put.h"

/* A line across. */
void dwell_box_rule(const struct dwell_put *put, const size_t *widths, bool has_bars);
/* The titles, between two lines: the first at the right, the others centred. */
void dwell_box_head(const struct dwell_put *put, const size_t *widths, const char *const *titles, bool has_bars);
void dwell_box_begin(const struct dwell_put *put);
void dwell_box_next(const struct dwell_put *put);
/* With a bar of count ÷ largest of its columns, cut; without for largest 0. pre: count <= largest. */
void dwell_box_end(const struct dwell_put *put, bool has_bars, uintptr_t count, uintptr_t largest);

#endif
