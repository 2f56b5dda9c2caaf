/* relay: record's part in counting a ring together with the thread that fills it (core/relay.h).
 *
 *     relay_see(relay, …)            when it is seen how far a ring has come: what the thread has counted by then is held fast
 *     relay_begin(relay, count, …)   in a job: and taken over
 *     relay_claim(relay, end) … count slots … relay_commit(relay, count, position)
 *     relay_end(relay)               it may be anybody's turn again
 *
 * Any of these says false when the thread has taken the turn away. Then what was claimed is counted all the same, and the next relay_see
 * learns how it went on. */
#ifndef DWELL_HOST_RECORD_DRAIN_RELAY_H
#define DWELL_HOST_RECORD_DRAIN_RELAY_H

#include <stdbool.h>
#include <stdint.h>

#include "record/drain/relay_import.h"

/* Read broken and is_due, leave the rest alone. */
struct relay {
	struct dwell_relay *shared; /* the program's: not trusted */
	bool broken;   /* it says what cannot be: nobody can tell any more what was counted */
	bool is_due;   /* something is to be taken over or to be told, whatever is in the ring */
	uint64_t word; /* as it was seen last */
	uint32_t valid; /* the buffer from which record goes on, or has gone on */
	uint64_t position; /* what was counted, by whoever it was */
	uint64_t seen; /* where the valid buffer stood then */
	bool ahead;    /* of that buffer: what was claimed has been counted, and could not be told */
	uint64_t floor_ticks; /* of the last enter or exit that was counted: set it before relay_commit, read it behind relay_begin */
	uint64_t turnovers;   /* set them before both: changes of what is mapped that record knows of, … */
	bool can_turn;        /* … and whether the thread may count what comes behind those */
	struct relay_import import;
};

void relay_init(struct relay *relay, struct dwell_relay *shared);
void relay_clear(struct relay *relay);

/* Whose turn is it? True: record's, which goes on at *position; end is how far the ring has come. alone: the thread does not run any more,
 * or does not matter. */
bool relay_see(struct relay *relay, uint64_t end, bool alone, uint64_t *position);
/* Takes over what the thread has counted, and tells what record is ahead. *events: how many that adds. *releases: it
 * told, and the turn is as after relay_commit with releases. */
bool relay_begin(struct relay *relay, struct count *count, uint64_t *events, bool *releases);
/* Slots from relay->position to end will be counted now, once and for all. */
bool relay_claim(struct relay *relay, uint64_t end);
/* They are. True: the ring's slots up to there are not needed any more; releases: and nobody touches them until relay_released. */
bool relay_commit(struct relay *relay, const struct count *count, bool releases);
void relay_released(struct relay *relay);
void relay_end(struct relay *relay);

#endif
