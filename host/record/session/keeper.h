/* keeper: record's periodic work while a ring or linear recording runs. The keeper marks the slots of
 * threads that have ended, so other threads can take their rings: first the ring of the thread that ended first. The keeper
 * writes clock points at growing intervals to the journal. If record is killed, the recording goes on without the keeper. */
#ifndef DWELL_HOST_RECORD_SESSION_KEEPER_H
#define DWELL_HOST_RECORD_SESSION_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "record/program/followed.h"
#include "record/session/session.h"

struct keeper {
	const struct session *session;
	/* When the next check of threads and the next clock point are due (CLOCK_MONOTONIC);
	 * the interval to the next clock point, which doubles with each point. */
	uint64_t next_check_ns, next_clock_ns, clock_step_ns;
	bool step_is_written; /* the step of the clock was measured, and is in the journal if there is one */
};

/* Writes the facts and the first clock point into the session's journal: the session file must be readable even if
 * record is killed. Writes no clock point if record cannot read the agents' clock. Borrows session until the last sweep. */
void keeper_begin(struct keeper *keeper, const struct session *session, const struct message_info *facts, uint32_t count,
	const struct message_clock *first);
/* Does the work that is due at now_ns. Call in each sweep. */
void keeper_sweep(struct keeper *keeper, const struct followed *followed, uint64_t now_ns);

#endif
