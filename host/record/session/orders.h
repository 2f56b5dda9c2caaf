/* orders: carries out orders to turn recording on or off. `dwell attach` writes an order into the session
 * (struct dwell_session, order; bit 0: on) while the recording runs. record then makes each thread take the slow path at its
 * next event, where agents read the order. Hooks that are off have no events, so record also opens their gates to turn
 * recording on: the kernel permits that, since recorded processes are record's children. */
#ifndef DWELL_HOST_RECORD_SESSION_ORDERS_H
#define DWELL_HOST_RECORD_SESSION_ORDERS_H

#include <stdint.h>
#include <sys/types.h>

#include "record/session/session.h"

struct orders {
	uint32_t last_order; /* the last order that orders_follow has carried out */
	uint32_t *pids; /* of processes that have announced themselves, and of children that orders_add_children has found */
	uint32_t count;
	size_t capacity;
};

void orders_add_process(struct orders *orders, uint32_t pid);
/* Adds the present children of a process. */
void orders_add_children(struct orders *orders, pid_t pid);
/* Carries out the newest order, unless orders_follow has done that before, and then writes the order's number into the session
 * (`followed`). If the order turns recording on, also removes ended processes from the list. */
void orders_follow(struct orders *orders, struct session *session);
void orders_end(struct orders *orders);

#endif
