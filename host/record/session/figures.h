/* figures: what the agents of a session count in its header, copied once and checked.
 *
 * Whoever is recorded can write anything there. What record put there itself must still be so, and no count can be larger than there was
 * time for: else the header was written over, and what it counts of losses is not known. A forged figure that could be is not noticed: a
 * program that wants to lie about itself can. */
#ifndef DWELL_HOST_RECORD_SESSION_FIGURES_H
#define DWELL_HOST_RECORD_SESSION_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "record/session/session.h"

struct figures {
	bool is_damaged; /* the header was written over; losses are 0 then */
	/* Losses. */
	uint64_t lost_threads, lost_events, lost_setup, lost_modules, given_up, unseen, moved, unannounced;
	uint64_t skipped_functions, unpatched_modules, waited_ns, longest_wait_ns, vain_sweeps;
	/* What there was. */
	uint64_t agents, unmappable, hooked_modules, own_hooks, refused_machines;
	uint64_t hook_kinds; /* enum dwell_hooks */
};

struct figures figures_read(const struct session *session);

#endif
