/* keeper: what record does for a ring or linear recording as long as it goes on, which is next to nothing: it says which threads have
 * ended, so that their rings can be taken for others, oldest first; and it tells a clock point now and then. Nobody depends on it. */
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

/* Tells the facts and the first clock point in the session's journal: it must make sense without record. */
void keeper_begin(struct keeper *keeper, const struct session *session, const struct message_info *facts, uint32_t count,
	const struct message_clock *first);
void keeper_look(struct keeper *keeper, const struct followed *followed, uint64_t now_ns);

#endif
