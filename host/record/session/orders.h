/* orders: carries out orders to turn recording on or off. `dwell attach` writes an order into the session
 * (struct dwell_session, order; bit 0: on) while the recording runs. Turning off
 * needs no help: agents read the order at their next event. Hooks that are off read nothing, so the process that
 * drains the session opens their gates: the kernel permits that, since recorded processes are its children. */
#ifndef DWELL_HOST_RECORD_SESSION_ORDERS_H
#define DWELL_HOST_RECORD_SESSION_ORDERS_H

#include <stdint.h>
#include <sys/types.h>

#include "record/session/session.h"

struct orders {
	uint32_t last_order; /* the last order that orders_follow has carried out */
	uint32_t *pids; /* of all processes that have announced themselves */
	uint32_t count;
	size_t capacity;
};

void orders_add_process(struct orders *orders, uint32_t pid);
/* Adds the present children of a process. */
void orders_add_children(struct orders *orders, pid_t pid);
/* Carries out the newest order, unless that was done before. */
void orders_follow(struct orders *orders, struct session *session);
void orders_end(struct orders *orders);

#endif
