/* keeper: record's periodic work while a ring or linear recording runs. The keeper marks
 * threads that have ended, so other threads can take their rings, the oldest first; and
 * it writes clock points at growing intervals. The recording works without the keeper. */
#ifndef DWELL_HOST_RECORD_SESSION_KEEPER_H
#define DWELL_HOST_RECORD_SESSION_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "record/program/followed.h"
#include "record/session/session.h"

struct keeper {
	const struct session *session;
	uint64_t next_look_ns, next_clock_ns, clock_step_ns;
	bool step_is_told;
};

/* Writes the facts and the first clock point into the session's journal:
 * the session file must be readable even if record is killed. */
void keeper_begin(struct keeper *keeper, const struct session *session, const struct message_info *facts, uint32_t count,
	const struct message_clock *first);
void keeper_look(struct keeper *keeper, const struct followed *followed, uint64_t now_ns);

#endif
