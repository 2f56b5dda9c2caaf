#include "record/session/orders.h"

#include <stdlib.h>

#include "record/session/control.h"
#include "util/array.h"

void orders_add_process(struct orders *orders, uint32_t pid)
{
	for (uint32_t i = 0; i < orders->count; i++)
		if (orders->pids[i] == pid)
			return;
	if (!array_reserve(&orders->pids, &orders->capacity, orders->count + (size_t)1, sizeof *orders->pids))
		return; /* it cannot be turned on from outside */
	orders->pids[orders->count++] = pid;
}

void orders_follow(struct orders *orders, struct session *session)
{
	uint32_t order = __atomic_load_n(&session->shared->order, __ATOMIC_ACQUIRE), kept = 0;
	struct control control;

	if (order == orders->seen)
		return;
	orders->seen = order;
	session_stale(session, false);
	for (uint32_t i = 0; (order & 1) && i < orders->count; i++) {
		enum control_problem problem = control_find(&control, (pid_t)orders->pids[i]);

		if (problem == CONTROL_FOUND) {
			control_open_gates(&control);
			control_close(&control);
		}
		if (problem != CONTROL_GONE)
			orders->pids[kept++] = orders->pids[i];
	}
	if (order & 1)
		orders->count = kept;
	__atomic_store_n(&session->shared->followed, order, __ATOMIC_RELEASE);
}

void orders_end(struct orders *orders)
{
	free(orders->pids);
	*orders = (struct orders){0};
}
