/* orders: recording that is turned on or off from outside while a session lives (struct dwell_session, order). Off needs no help: agents
 * look at their next event. Hooks that are off do not look, so whoever drains the session opens their gates; it is allowed to, since the
 * processes are its children. */
#ifndef DWELL_HOST_RECORD_SESSION_ORDERS_H
#define DWELL_HOST_RECORD_SESSION_ORDERS_H

#include <stdint.h>

#include "record/session/session.h"

struct orders {
	uint32_t seen;
	uint32_t *pids; /* of all processes that told about themselves */
	uint32_t count;
	size_t capacity;
};

void orders_add_process(struct orders *orders, uint32_t pid);
/* Does what was ordered since the last call. */
void orders_follow(struct orders *orders, struct session *session);
void orders_end(struct orders *orders);

#endif
