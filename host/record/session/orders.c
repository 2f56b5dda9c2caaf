/* orders: keeps a list of the recorded processes, and opens their gates when an order turns recording on. */
#include "record/session/orders.h"

#include <stdio.h>
#include <stdlib.h>

#include "record/session/control.h"
#include "util/array.h"
#include "util/each_thread.h"

void orders_add_process(struct orders *orders, uint32_t pid)
{
	for (uint32_t i = 0; i < orders->count; i++)
		if (orders->pids[i] == pid)
			return;
	if (!array_reserve(&orders->pids, &orders->capacity, orders->count + (size_t)1, sizeof *orders->pids))
		return; /* no memory: recording in this process cannot be turned on from outside */
	orders->pids[orders->count++] = pid;
}

struct parent {
	struct orders *orders;
	pid_t pid;
};

static void add_children_of(void *context, pid_t tid)
{
	const struct parent *parent = context;
	char path[64];
	unsigned child;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent->pid, (long)tid);
	file = fopen(path, "re");
	while (file && fscanf(file, "%u", &child) == 1)
		orders_add_process(parent->orders, child);
	if (file)
		fclose(file);
}

void orders_add_children(struct orders *orders, pid_t pid)
{
	each_thread(pid, add_children_of, &(struct parent){orders, pid});
}

void orders_follow(struct orders *orders, struct session *session)
{
	uint32_t order = __atomic_load_n(&session->shared->order, __ATOMIC_ACQUIRE), kept = 0;
	struct control control;

	if (order == orders->last_order)
		return;
	orders->last_order = order;
	session_force_slow_path(session, false);
	/* Opens the gates of all processes, and removes ended processes from the list. */
	for (uint32_t i = 0; (order & 1) && i < orders->count; i++) {
		enum control_problem problem = control_find(&control, (pid_t)orders->pids[i]);

		if (problem == CONTROL_FOUND)
			control_open_gates(&control);
		control_close(&control);
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
