/* turnover: when code of a process was mapped or unmapped. From then on an address there is another function's, so sums that say functions
 * by their addresses end there.
 *
 *     one thread     turnover_add()
 *     others         turnover_next(), turnover_split()   each with a view of its own; of what was added before */
#ifndef DWELL_HOST_RECORD_SESSION_TURNOVER_H
#define DWELL_HOST_RECORD_SESSION_TURNOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/paths.h"
#include "core/slot.h"
#include "reader/message.h"

struct turnover_change {
	struct turnover_change *next;
	uint64_t low, high, ticks;
	uint32_t process;
};

/* Zeroed: none yet. */
struct turnover {
	struct turnover_change *first, *last;
};

/* Whose calls are added up, and which change comes next. */
struct turnover_view {
	const struct turnover *turnover; /* null: nobody tells of changes */
	const struct turnover_change *passed;
	uint32_t process;
};

/* Without memory it is not added. */
void turnover_add(struct turnover *turnover, const struct message_module *module);
void turnover_clear(struct turnover *turnover);

/* The next one of the process; null: none so far. */
const struct turnover_change *turnover_next(struct turnover_view *view);
/* How many of the slots, which are in order and begin at cursor, were recorded before the next change. *change: that one, which is passed;
 * null: all were, as far as is known. */
uint32_t turnover_split(struct turnover_view *view, struct dwell_slot_cursor cursor, const uint64_t *slots, uint32_t count,
	const struct turnover_change **change);
/* Whether any of these functions lay there. */
bool turnover_has(const struct turnover_change *change, const struct dwell_paths *paths);

#endif
