/* expect: which exit comes next. What packing and unpacking must agree on, slot for slot.
 *
 * A stack of the exits that the open functions would have, innermost on top. It goes round: a stack that is deeper forgets its outermost
 * frames, one that is left more often than entered brings old ones up again. Either is a bad guess, never a wrong slot. */
#ifndef DWELL_HOST_PACK_EXPECT_H
#define DWELL_HOST_PACK_EXPECT_H

#include <stdint.h>
#include <string.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "util/bytes.h"

#define EXPECT_MASK (DWELL_PACK_STACK - 1u)

struct expect {
	uint32_t top; /* index of the innermost, modulo the size */
	uint32_t exits[DWELL_PACK_STACK];
};

static inline void expect_enter(struct expect *expect, uint32_t place)
{
	expect->exits[++expect->top & EXPECT_MASK] = place | 1u;
}

static inline void expect_begin(struct expect *expect, struct bytes frames)
{
	memset(expect, 0, sizeof *expect);
	for (size_t at = 0; at < frames.size; at += DWELL_FRAME_BYTES)
		expect_enter(expect, get_u32(frames.data + at + DWELL_FRAME_PLACE));
}

static inline uint32_t expect_get(const struct expect *expect)
{
	return expect->exits[expect->top & EXPECT_MASK];
}

/* An exit that was not the expected one: frames above its own were left by an unwind, or exits are said otherwise than enters. */
static inline void expect_other_exit(struct expect *expect, uint32_t exit)
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
