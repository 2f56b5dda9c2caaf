/* mapping_changes: the times at which processes mapped or unmapped code. From such a change on, an address in
 * the range belongs to another function, so stages that add up calls by address must begin new sums.
 *
 *     one thread       mapping_changes_add()
 *     other threads    mapping_changes_next(), mapping_changes_split()   each with a view of the changes so far */
#ifndef DWELL_HOST_RECORD_SESSION_MAPPING_CHANGES_H
#define DWELL_HOST_RECORD_SESSION_MAPPING_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/paths.h"
#include "core/slot.h"
#include "reader/message.h"

struct mapping_change {
	struct mapping_change *next;
	uint64_t low, high, ticks; /* the address range [low, high); when it changed */
	uint32_t process;
};

/* Zeroed: no changes yet. */
struct mapping_changes {
	struct mapping_change *first, *last;
};

/* A reader's position: the process whose calls a stage adds up, and the last change that was passed. */
struct mapping_changes_view {
	const struct mapping_changes *mapping_changes; /* null: changes are unknown */
	const struct mapping_change *passed;
	uint32_t process;
};

/* Adds a change. Does nothing if there is no memory. */
void mapping_changes_add(struct mapping_changes *mapping_changes, const struct message_module *module);
void mapping_changes_clear(struct mapping_changes *mapping_changes);

/* The next change of the process, behind the passed one; the view does not pass it. Null: no further change so far. */
const struct mapping_change *mapping_changes_next(struct mapping_changes_view *view);
/* The number of slots before the next change. cursor: the state in front of the first slot. *change: the
 * next change, which then counts as passed; null: all slots come before the next change, and count is returned. */
uint32_t mapping_changes_split(struct mapping_changes_view *view, struct dwell_slot_cursor cursor, const uint64_t *slots,
	uint32_t count, const struct mapping_change **change);
/* Whether any function in paths is in the changed range. */
bool mapping_change_affects(const struct mapping_change *change, const struct dwell_paths *paths);

#endif
