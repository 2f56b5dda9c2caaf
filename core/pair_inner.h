/* SPDX-License-Identifier: MIT
 *
 * pair_inner: what pair.c and pair_part.c share.
 */
#ifndef DWELL_CORE_PAIR_INNER_H
#define DWELL_CORE_PAIR_INNER_H

#include "core/pair.h"

/* Why the short way through enter and exit must not be taken. */
enum {
	STATE_START = DWELL_PAIR_START, /* no event yet */
	STATE_LAND = 1u << 1, /* an unwind, a gap or an off: which frame goes on is not known yet */
	STATE_GAP = 1u << 2, /* records are lost from last_ticks up to the next event */
	STATE_OFF = 1u << 3, /* recording is off since last_ticks */
	STATE_WAIT = 1u << 4, /* wait_lost_ticks, wait_off_ticks or wait_held_ticks are to be charged to the frame that goes on */
	STATE_BEYOND = 1u << 5, /* frames that did not fit are open */
	/* DWELL_PAIR_MISFIT is the next */
	STATE_HELD = 1u << 7, /* the recorder holds the thread up since last_ticks */
};
#define STATES (STATE_HELD << 1)
#define STATE_AWAY (STATE_OFF | STATE_HELD) /* the next event ends it */

/* Searches that find their frame are paid for by the frames that they finish. Those that find nothing would make a hostile trace
 * quadratic: all of them together may look at this many frames, and then at a few each. */
#define SEARCH_ALL (1u << 24)
#define SEARCH_EACH 256u

#define NO_FRAME UINT32_MAX

/* Whether a call of the function was ended by a gap, for all that is remembered. */
static inline bool may_have_ended(const struct dwell_pair *pair, uint64_t id)
{
	uint32_t i = 0;

	while (i < pair->ended_count && i < DWELL_PAIR_ENDED_MAX && pair->ended[i] != id)
		i++;
	return i < pair->ended_count;
}

static inline void note_ended(struct dwell_pair *pair, uint64_t id)
{
	if (!may_have_ended(pair, id) && pair->ended_count++ < DWELL_PAIR_ENDED_MAX)
		pair->ended[pair->ended_count - 1] = id;
}

#endif
