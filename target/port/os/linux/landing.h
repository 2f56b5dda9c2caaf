/* SPDX-License-Identifier: MIT
 *
 * Where an unwind lands: the function that goes on may have no hooks. Then the call that goes on is that of the nearest function outwards
 * that has. Both are told by the stack, which is walked (frames.h); and how many frames of that function are left, since it may be open
 * several times.
 */
#ifndef DWELL_LINUX_LANDING_H
#define DWELL_LINUX_LANDING_H

#include <stdbool.h>
#include <stdint.h>

#include "port/os/linux/agent.h"
#include "port/os/linux/frames.h"

#define LANDING_CALLS_MAX 5u
#define LANDING_WORDS_MAX (2 * LANDING_CALLS_MAX + 1)

/* The first of these that is open goes on. */
struct landing_call {
	uint64_t place; /* as its hook says it */
	uint64_t start; /* of the code that runs */
	uint32_t above; /* calls of it that are left as well */
};
struct landing {
	struct landing_call calls[LANDING_CALLS_MAX];
	uint32_t count;
	uint64_t start; /* of the function that it lands in */
	bool or_none; /* where none of them is open, no call goes on */
};

/* From a frame out to the one in which the stack pointer is. False: not known.
 * Context: any thread, any signal; 10 to 200 ns a frame that is left. */
bool landing_find(struct frame from, uint64_t sp, struct landing *landing) __attribute__((visibility("hidden")));

/* It is there, and runs code from a frame's pc: what that is a part of is remembered. */
void landing_learn(const struct landing *landing, struct frame here) __attribute__((visibility("hidden")));

/* As payloads of LANDED. Returns how many. */
unsigned landing_put(const struct landing *landing, uint32_t words[LANDING_WORDS_MAX]) __attribute__((visibility("hidden")));

/* An event between the moment that an unwind's landing was found and that when it has landed: a cleanup calls something, or leaves by its
 * exit a frame that was counted. */
void landing_pass(struct landing *landing, uint64_t place, bool is_exit) __attribute__((visibility("hidden")));

/* Where nobody walks stacks, the next enter says where an unwind landed. */
#ifndef PORT_FRAMES
#define landing_find(...) HOOKS_NONE(__VA_ARGS__)
#define landing_learn(...) ((void)HOOKS_NONE(__VA_ARGS__))
#define landing_put(...) ((unsigned)HOOKS_NONE(__VA_ARGS__))
#define landing_pass(...) ((void)HOOKS_NONE(__VA_ARGS__))
#endif

#endif
