/* SPDX-License-Identifier: MIT
 *
 * Finds where an unwind lands: which recorded call continues. The function that continues may have no hooks; then, in the
 * recording, the next function outwards with hooks continues. A walk of the stack (frames.h) finds both functions. A recursive
 * function has several open calls: the walk also counts those of its inner calls that are left.
 */
#ifndef DWELL_LINUX_LANDING_H
#define DWELL_LINUX_LANDING_H

#include <stdbool.h>
#include <stdint.h>

#include "port/os/linux/agent.h"
#include "port/os/linux/frames.h"

#define LANDING_CALLS_MAX 5u
#define LANDING_WORDS_MAX (2 * LANDING_CALLS_MAX + 1)

/* The first of these calls that is open goes on. */
struct landing_call {
	uint64_t place; /* place in its events */
	uint64_t start; /* of the code that runs */
	uint32_t above; /* inner calls of it that are left as well */
};
struct landing {
	struct landing_call calls[LANDING_CALLS_MAX];
	uint32_t count;
	uint64_t start; /* of the function in which the unwind lands */
	bool or_none; /* no call goes on, if none of them is open */
};

/* A frame on the way whose exit has already run, in the frame's own cleanup. place 0: none. */
struct landing_ended {
	uint64_t sp; /* an address in the frame */
	uint64_t place;
};

/* Walks from a frame out to the frame that holds the stack pointer sp. False: unknown.
 * Context: any thread, any signal; 10 to 200 ns for each frame that is left. */
bool landing_find(struct frame from, uint64_t sp, const struct landing_ended *ended, struct landing *landing)
	__attribute__((visibility("hidden")));

/* Remembers which function the code at pc belongs to: the unwind goes on there, with this stack pointer. */
void landing_learn(const struct landing *landing, uint64_t pc, uint64_t sp) __attribute__((visibility("hidden")));

/* Writes the landing as payloads of LANDED. Returns how many. */
unsigned landing_write(const struct landing *landing, uint32_t words[LANDING_WORDS_MAX]) __attribute__((visibility("hidden")));

/* Ports that do not walk stacks: the call site of the next enter shows where an unwind landed. */
#ifndef PORT_FRAMES
#define landing_find(...) HOOKS_NONE(__VA_ARGS__)
#define landing_learn(...) ((void)HOOKS_NONE(__VA_ARGS__))
#define landing_write(...) ((unsigned)HOOKS_NONE(__VA_ARGS__))
#endif

#endif
