/* remote_stop: stops all threads of another process, at any place, to change code that no thread may execute meanwhile. */
#ifndef DWELL_HOST_RECORD_REMOTE_STOP_H
#define DWELL_HOST_RECORD_REMOTE_STOP_H

#include "record/remote/remote_image.h"
#include "record/remote/remote_thread.h"

struct remote_stop {
	const struct remote_image *image;
	uint64_t began_ns;
	struct remote_stopped_thread {
		pid_t tid;
		int signal; /* a pending signal; delivered when the thread goes on */
		bool is_stopped, ended; /* is_stopped: the thread stopped, and does not run */
	} *threads; /* all threads of the process that dwell has interrupted */
	size_t count, capacity;
};
/* Stops all threads. Call remote_release in any case. */
enum remote_problem remote_stop_all(struct remote_stop *stop, const struct remote_image *image);
/* Lets all threads go on, and counts the stop. */
void remote_release(struct remote_stop *stop);
/* Whether any thread is at a place for which is_meant returns true. True also if dwell cannot examine a thread. */
bool remote_any_thread_at(const struct remote_stop *stop, bool (*is_meant)(void *context, uint64_t place), void *context);
/* Whether any thread is in code in one of the ranges [low, high), or cannot be examined.
 * stacks: or has, on the stack, a word that could be a return address into a range. */
bool remote_any_thread_inside(const struct remote_stop *stop, uint64_t (*ranges)[2], size_t count, bool stacks);

#endif
