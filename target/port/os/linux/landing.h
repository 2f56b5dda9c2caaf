/* SPDX-License-Identifier: MIT
 *
 * Finds the landing of an unwind: the recorded call that goes on. The landing function may have no hooks; then the next function
 * outwards with hooks goes on in the recording. A walk of the stack (frames.h) finds both functions. A recursive function has
 * several open calls, so the walk also counts the inner calls that end.
 */
#ifndef DWELL_LINUX_LANDING_H
#define DWELL_LINUX_LANDING_H

#include <stdbool.h>
#include <stdint.h>

#include "port/os/linux/agent.h"
#include "port/os/linux/frames.h"

#define LANDING_CALLS_MAX 5u
#define LANDING_WORDS_MAX (2 * LANDING_CALLS_MAX + 1)

/* A candidate for the call that goes on. Of the candidates in calls, the first one whose call is open goes on. */
struct landing_call {
	uint64_t place; /* place in the call's events */
	uint64_t start; /* start of the running code */
	uint32_t above; /* inner calls of the function that end as well */
};
struct landing {
	struct landing_call calls[LANDING_CALLS_MAX];
	uint32_t count;
	uint64_t start; /* start of the landing function */
	bool or_none; /* if no candidate is open, no call goes on */
};

/* A frame on the way: the exit has already run, in the frame's own cleanup. place 0: no such frame. */
struct landing_ended {
	uint64_t sp; /* an address in the frame */
	uint64_t place;
};

/* Walks outwards from a frame to the frame that holds the stack pointer sp, and stores the landing. False: the landing is unknown.
 * Context: any thread, any signal; 10 to 200 ns for each frame on the way. */
bool landing_find(struct frame from, uint64_t sp, const struct landing_ended *ended, struct landing *landing)
	__attribute__((visibility("hidden")));

/* Remembers the landing function as the function of the code at pc, where the thread goes on with stack pointer sp. */
void landing_learn(const struct landing *landing, uint64_t pc, uint64_t sp) __attribute__((visibility("hidden")));

/* Writes the landing as payloads of LANDED. Returns the number of words. */
unsigned landing_write(const struct landing *landing, uint32_t words[LANDING_WORDS_MAX]) __attribute__((visibility("hidden")));

/* Ports without walks of the stack: the call site of the next enter shows the landing. */
#ifndef PORT_FRAMES
#define landing_find(...) HOOKS_NONE(__VA_ARGS__)
#define landing_learn(...) ((void)HOOKS_NONE(__VA_ARGS__))
#define landing_write(...) ((unsigned)HOOKS_NONE(__VA_ARGS__))
#endif

#endif
