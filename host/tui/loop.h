/* loop: waits for a key, for a moment, or for another thread or a signal handler that has something to say. The only place where views
 * that change by themselves (top) and views that do not (tui) wait. */
#ifndef DWELL_HOST_TUI_LOOP_H
#define DWELL_HOST_TUI_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#define LOOP_FOREVER UINT64_MAX

enum loop_event {
	LOOP_TIME,  /* the moment has come */
	LOOP_INPUT, /* there is something to read, or nothing will ever come again */
	LOOP_WOKEN, /* loop_wake was called since the last time */
};

struct loop {
	int ends[2]; /* of a pipe */
};

/* False: the system gives no pipe (errno). Else loop_end when done. */
bool loop_begin(struct loop *loop);
void loop_end(struct loop *loop);

/* Any thread, any signal handler, until loop_end. */
void loop_wake(const struct loop *loop);

/* input: a descriptor, −1: nobody types. until_ns: of CLOCK_MONOTONIC. What comes first; of several things at a time, in the order that is
 * least late: woken, input, time. */
enum loop_event loop_wait(const struct loop *loop, int input, uint64_t until_ns);

/* CLOCK_MONOTONIC. */
uint64_t loop_now_ns(void);

#endif
