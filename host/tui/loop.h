/* loop: waits for a key, for a time, or for a wake-up by another thread or a signal handler. dwell top and dwell tui wait here. */
#ifndef DWELL_HOST_TUI_LOOP_H
#define DWELL_HOST_TUI_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#define LOOP_FOREVER UINT64_MAX

enum loop_event {
	LOOP_TIME,  /* the time has come */
	LOOP_INPUT, /* there is input, or the input has ended */
	LOOP_WOKEN, /* loop_wake was called since the last wait */
};

struct loop {
	int ends[2]; /* the reading and the writing end of a pipe; loop_wake writes a byte */
};

/* Returns false if the system provides no pipe (errno). Otherwise call loop_end when done. */
bool loop_begin(struct loop *loop);
void loop_end(struct loop *loop);

/* Ends the current or the next loop_wait. Any thread and any signal handler may call it, until loop_end. */
void loop_wake(const struct loop *loop);

/* input: a descriptor, −1: no keyboard. until_ns: in CLOCK_MONOTONIC. Returns the first event;
 * of simultaneous events the most urgent: woken, input, time. */
enum loop_event loop_wait(const struct loop *loop, int input, uint64_t until_ns);

/* Returns the time of CLOCK_MONOTONIC. */
uint64_t loop_now_ns(void);

#endif
