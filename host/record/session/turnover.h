/* turnover: when code of a process was mapped or unmapped. From then on an address there is another function's, so sums that say functions
 * by their addresses end there.
 *
 *     one thread     turnover_add()
 *     others         turnover_next(), turnover_before(), turnover_pass()   each with a view of its own; of what was added before */
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
/* How many of the slots were recorded before. They are in order, and cursor is where they begin. */
uint32_t turnover_before(
	const struct turnover_change *change, struct dwell_slot_cursor cursor, const uint64_t *slots, uint32_t count);
void turnover_pass(struct turnover_view *view, const struct turnover_change *change);
/* Whether any of these functions lay there. */
bool turnover_has(const struct turnover_change *change, const struct dwell_paths *paths);

#endif
