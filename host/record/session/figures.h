/* figures: a checked copy of the agents' counters in the session's header, for the losses and messages at the end of a recording.
 *
 * A recorded program can write anything into the header. So figures_read checks that record's own fields are unchanged,
 * and that hook_kinds has known bits only. No loss and no waiting time may be larger than the elapsed time permits. If a check
 * fails, the header was overwritten, and the losses are unknown. A forged counter with a possible value goes unnoticed:
 * a program can falsify its own figures. */
#ifndef DWELL_HOST_RECORD_SESSION_FIGURES_H
#define DWELL_HOST_RECORD_SESSION_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "record/session/session.h"

struct figures {
	bool is_damaged; /* the header was overwritten; the losses are 0 */
	/* Losses. struct dwell_session explains each counter. */
	uint64_t lost_threads, lost_events, lost_setup, lost_modules, given_up, unseen, moved, unnoticed_forks;
	uint64_t skipped_functions, unpatched_modules, waited_ns, longest_wait_ns, failed_wait_sweeps;
	/* Other counters: figures_read sets them even if is_damaged, and does not check their values. */
	uint64_t agents, unmappable, hooked_modules, own_hooks, refused_machines;
	uint64_t hook_kinds; /* enum dwell_hooks */
};

/* Reads the counters now. Agents may still count. */
struct figures figures_read(const struct session *session);

#endif
