/* expect: predicts the next exit, so that an exit as predicted takes one token and no low word (FORMAT.md, Packed slots).
 * Packer and unpacker must make the same predictions, slot for slot.
 *
 * Holds a stack of the exits that the open functions would have, innermost on top. The stack
 * is circular: when it is too deep it forgets the outermost frames, and when it is popped too
 * often old entries come up again. Either gives a wrong prediction, never a wrong slot. */
#ifndef DWELL_HOST_PACK_EXPECT_H
#define DWELL_HOST_PACK_EXPECT_H

#include <stdint.h>
#include <string.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "util/bytes.h"

#define EXPECT_MASK (DWELL_PACK_STACK - 1u)

struct expect {
	uint32_t top; /* index of the innermost exit, modulo the size */
	uint32_t exits[DWELL_PACK_STACK]; /* low words of exits; 0: none */
};

/* Pushes the exit that an enter at this place (a low word) would have. */
static inline void expect_enter(struct expect *expect, uint32_t place)
{
	expect->exits[++expect->top & EXPECT_MASK] = place | 1u;
}

/* Starts a chunk: pushes the exits of the frames of its checkpoint, outermost first. */
static inline void expect_begin(struct expect *expect, struct bytes frames)
{
	memset(expect, 0, sizeof *expect);
	for (size_t at = 0; at < frames.size; at += DWELL_FRAME_BYTES)
		expect_enter(expect, get_u32(frames.data + at + DWELL_FRAME_PLACE));
}

/* Returns the predicted exit's low word; the caller pops it if it is right. Below DWELL_TAG_LIMIT: no prediction. */
static inline uint32_t expect_get(const struct expect *expect)
{
	return expect->exits[expect->top & EXPECT_MASK];
}

/* Pops after an exit that was not predicted. If one of the innermost DWELL_PACK_LOOK exits is this one, an unwind left the
 * frames above it: pops them, too. Else the function's exit has another place than its enter: pops one. */
static inline void expect_unpredicted_exit(struct expect *expect, uint32_t exit)
{
	for (uint32_t i = 0; i < DWELL_PACK_LOOK; i++) {
		if (expect->exits[(expect->top - i) & EXPECT_MASK] == exit) {
			expect->top -= i + 1;
			return;
		}
	}
	expect->top--;
}

#endif
