/* SPDX-License-Identifier: MIT
 *
 * Definitions that pair.c and pair_part.c share: the states of a pairing, and the limits of searches.
 */
#ifndef DWELL_CORE_PAIR_INNER_H
#define DWELL_CORE_PAIR_INNER_H

#include "core/pair.h"

/* Reasons that rule out the fast path through enter and exit. */
enum {
	STATE_START = DWELL_PAIR_START, /* no event yet */
	STATE_LAND = 1u << 1, /* an unwind, a gap or a stop is pending: the frame that continues is still unknown */
	STATE_GAP = 1u << 2, /* records from last_ticks to the next event are lost */
	STATE_STOPPED = 1u << 3, /* recording has been stopped since last_ticks */
	STATE_WAIT = 1u << 4, /* wait_… ticks wait to be charged to the frame that continues */
	STATE_BEYOND = 1u << 5, /* frames that did not fit are open */
	/* DWELL_PAIR_MISFIT takes the next bit */
	STATE_HELD = 1u << 7, /* the recorder has held the thread up since last_ticks */
};
#define STATE_PAUSED (STATE_STOPPED | STATE_HELD) /* the next event ends this state */

/* A successful search costs no more than the frames it finishes. Unsuccessful searches would make a hostile trace quadratic: all of
 * them together may visit SEARCH_ALL frames, and after that SEARCH_EACH frames each. */
#define SEARCH_ALL (1u << 24)
#define SEARCH_EACH 256u

#define NO_FRAME UINT32_MAX

/* Returns whether a gap may have ended a call of the function; true if too many ended calls to remember. */
static inline bool may_have_ended(const struct dwell_pair *pair, uint64_t id)
{
	uint32_t i = 0;

	while (i < pair->ended_count && i < DWELL_PAIR_ENDED_MAX && pair->ended[i] != id)
		i++;
	return i < pair->ended_count;
}

/* Remembers that a gap may have ended a call of this function. */
static inline void note_ended(struct dwell_pair *pair, uint64_t id)
{
	if (!may_have_ended(pair, id) && pair->ended_count++ < DWELL_PAIR_ENDED_MAX)
		pair->ended[pair->ended_count - 1] = id;
}

#endif
