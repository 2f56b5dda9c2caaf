/* SPDX-License-Identifier: MIT
 *
 * Stamps: corrects the times of a run: consecutive slots of one thread. Slot order is the truth (core/slot.h): a stamp later than
 * its successor was taken late. A stamp more than half a turn (2^31 ticks) before its predecessor was taken before its TIME was
 * written. A reader of chunks and a recorder that adds up calls must use the same correction.
 *
 * Freestanding: needs no libc and has no memory of its own. */
#ifndef DWELL_CORE_STAMPS_H
#define DWELL_CORE_STAMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/slot.h"

/* Returns whether the event has a time of its own. */
static inline bool dwell_stamps_has_time(const struct dwell_slot_event *event)
{
	return event->kind == DWELL_SLOT_ENTER || event->kind == DWELL_SLOT_EXIT || event->kind == DWELL_SLOT_ENTRY ||
	       (event->kind == DWELL_SLOT_TAG && dwell_slot_tag_has_stamp(event->tag));
}

/* Corrects ticks, the decoded times of a run's events with a time. floor_ticks: lower
 * bound of all; 0: unknown. Returns the number of late stamps. */
size_t dwell_stamps_correct(uint64_t *ticks, size_t count, uint64_t floor_ticks);

#endif
