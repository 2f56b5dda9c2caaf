/* remote_stop: all threads of another process stopped, at any place. */
#ifndef DWELL_HOST_RECORD_REMOTE_STOP_H
#define DWELL_HOST_RECORD_REMOTE_STOP_H

#include "record/remote/remote_thread.h"

struct remote_stop {
	pid_t pid;
	struct remote_one {
		pid_t tid;
		int signal; /* that was on its way, and is delivered when it goes on */
	} *threads;
	size_t count, capacity;
};
/* remote_release in any case. */
enum remote_problem remote_stop_all(struct remote_stop *stop, pid_t pid);
void remote_release(struct remote_stop *stop);
/* Whether a thread is at a place that is meant. */
bool remote_is_at(const struct remote_stop *stop, bool (*is_meant)(void *context, uint64_t place), void *context);
/* Whether a thread is in code in one of the ranges [low, high); or, stacks: anything on its stack could be a place in there that it returns
 * to. */
bool remote_is_inside(const struct remote_stop *stop, uint64_t (*ranges)[2], size_t count, bool stacks);

#endif
