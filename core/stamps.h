/* SPDX-License-Identifier: MIT
 *
 * Stamps: the times of a run of slots, put right. Slot order is the truth (core/slot.h), so a stamp that is later than its successor was
 * taken late, and one from half a turn ahead before the TIME that it goes by was there. Whoever reads a run, or adds it up, does it alike.
 *
 * Freestanding: no libc, no memory of its own. */
#ifndef DWELL_CORE_STAMPS_H
#define DWELL_CORE_STAMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/slot.h"

/* Whether the event has a time of its own. */
static inline bool dwell_stamps_has_time(const struct dwell_slot_event *event)
{
	return event->kind == DWELL_SLOT_ENTER || event->kind == DWELL_SLOT_EXIT || event->kind == DWELL_SLOT_ENTRY ||
	       (event->kind == DWELL_SLOT_TAG && dwell_slot_tag_has_stamp(event->tag));
}

/* Times of the events of one run that have one, as they were decoded. floor_ticks: none was earlier; 0: nobody knows. Returns how many
 * were taken late. */
size_t dwell_stamps_put_right(uint64_t *ticks, size_t count, uint64_t floor_ticks);

#endif
