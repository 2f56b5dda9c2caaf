/* turnover: the times at which processes mapped or unmapped code. From such a change on, an address in
 * the range belongs to another function, so stages that add up calls by address must begin new sums.
 *
 *     one thread       turnover_add()
 *     other threads    turnover_next(), turnover_split()   each with a view of the changes so far */
#ifndef DWELL_HOST_RECORD_SESSION_TURNOVER_H
#define DWELL_HOST_RECORD_SESSION_TURNOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/paths.h"
#include "core/slot.h"
#include "reader/message.h"

struct turnover_change {
	struct turnover_change *next;
	uint64_t low, high, ticks; /* the address range; when it changed */
	uint32_t process;
};

/* Zeroed: no changes yet. */
struct turnover {
	struct turnover_change *first, *last;
};

/* A reader's position: the process whose calls a stage adds up, and the last change that was passed. */
struct turnover_view {
	const struct turnover *turnover; /* null: changes are unknown */
	const struct turnover_change *passed;
	uint32_t process;
};

/* Adds a change. Does nothing if there is no memory. */
void turnover_add(struct turnover *turnover, const struct message_module *module);
void turnover_clear(struct turnover *turnover);

/* The next change of the process. Null: no change so far. */
const struct turnover_change *turnover_next(struct turnover_view *view);
/* The number of slots, in order from cursor on, before the next change. *change: the
 * next change, which then counts as passed; null: no slot comes after a change. */
uint32_t turnover_split(struct turnover_view *view, struct dwell_slot_cursor cursor, const uint64_t *slots, uint32_t count,
	const struct turnover_change **change);
/* Whether any function in paths is in the changed range. */
bool turnover_has(const struct turnover_change *change, const struct dwell_paths *paths);

#endif
