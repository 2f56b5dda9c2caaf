/* SPDX-License-Identifier: MIT
 *
 * Histograms: memory of a program in which a sampling interrupt counts where it found it, a 16-bit counter for each 32-bit word of
 * text. The target writes it (target/recorder/histogram/); the host reads it over the wire (core/wire.h), through a debugger or in a RAM
 * image.
 *
 * A control area tells where everything is. It is aligned to a word, which has the size of a pointer, in the byte order of the machine:
 *
 *     u32 magic    HISTOGRAM_MAGIC: its bytes tell the byte order
 *     u32 what     bits 0–7 HISTOGRAM_VERSION; 8–15 bytes in a counter; 16–23 bytes of text that a counter is for; 24–31 bytes in a word
 *     word[0 …]    HISTOGRAM_WORD_…
 *
 * SELF is the address of the control area: so who has only the bytes knows where they lay, and who finds another address there has found
 * something else. A segment is four words, HISTOGRAM_SEGMENT_…; they are in order of their text, and do not overlap.
 *
 * An interrupt is counted once: in a counter, or in OVERFLOW, when it was in no segment, or in BEYOND, when the counter was at 65535. */
#ifndef DWELL_CORE_HISTOGRAM_H
#define DWELL_CORE_HISTOGRAM_H

#define HISTOGRAM_MAGIC 0x53485744 /* "DWHS" where the lowest byte comes first */
#define HISTOGRAM_VERSION 1
#define HISTOGRAM_HEAD_BYTES 8

/* clang-format off */
#define HISTOGRAM_WORD_SELF 0      /* address of the control area */
#define HISTOGRAM_WORD_LAST 1      /* address of the segment that was hit last */
#define HISTOGRAM_WORD_SEGMENTS 2  /* address of the first segment */
#define HISTOGRAM_WORD_STEP 3      /* the search's: half of the smallest power of two that is not less than COUNT */
#define HISTOGRAM_WORD_OVERFLOW 4  /* interrupts outside of all segments; stays at 2^32 − 1 */
#define HISTOGRAM_WORD_BEYOND 5    /* interrupts that a full counter could not count; stays at 2^32 − 1 */
#define HISTOGRAM_WORD_WANTED 6    /* not 0: a segment is WANTED */
#define HISTOGRAM_WORD_COUNT 7     /* segments */
#define HISTOGRAM_WORD_STATE 8     /* HISTOGRAM_STATE_… */
#define HISTOGRAM_WORD_PERIOD 9    /* microseconds from one interrupt to the next, on average; 0: never started */
#define HISTOGRAM_WORD_TAKEN 10    /* number of the last TAKE (core/wire.h) whose counts were taken away */
#define HISTOGRAM_WORDS 11

#define HISTOGRAM_SEGMENT_TEXT 0     /* address of its first instruction */
#define HISTOGRAM_SEGMENT_BYTES 1    /* of text that have counters */
#define HISTOGRAM_SEGMENT_COUNTERS 2 /* address of the first counter */
#define HISTOGRAM_SEGMENT_WANTED 3   /* not 0: a counter has gone beyond HISTOGRAM_NEAR since they were last fetched */
#define HISTOGRAM_SEGMENT_WORDS 4
/* clang-format on */

#define HISTOGRAM_COUNTER_BYTES 2
#define HISTOGRAM_TEXT_BYTES 4
#define HISTOGRAM_COUNTER_MAX 0xffff
/* A counter that goes beyond it is to be fetched: half is left, 1.6 s of a program that is at one instruction at the highest rate. It is
 * the highest bit, so an interrupt asks for nothing else. */
#define HISTOGRAM_NEAR 0x8000

#define HISTOGRAM_STATE_RUNNING 1
#define HISTOGRAM_STATE_FIXED 2 /* the period is always the same */

#ifndef __ASSEMBLER__

#include <stdint.h>

#define HISTOGRAM_WHAT                                                                                                             \
	(HISTOGRAM_VERSION | HISTOGRAM_COUNTER_BYTES << 8 | HISTOGRAM_TEXT_BYTES << 16 | (uint32_t)sizeof(uintptr_t) << 24)

/* This machine's. What an interrupt writes is volatile. */
struct histogram_segment {
	uintptr_t text, bytes;
	volatile uint16_t *counters;
	volatile uintptr_t wanted;
};

struct histogram {
	uint32_t magic, what;
	uintptr_t self;
	struct histogram_segment *volatile last;
	struct histogram_segment *segments;
	uintptr_t step;
	volatile uintptr_t overflow, beyond, wanted;
	uintptr_t count;
	volatile uintptr_t state, period, taken;
};

_Static_assert(sizeof(struct histogram) == HISTOGRAM_HEAD_BYTES + HISTOGRAM_WORDS * sizeof(uintptr_t), "a word each");
_Static_assert(sizeof(struct histogram_segment) == HISTOGRAM_SEGMENT_WORDS * sizeof(uintptr_t), "a word each");

#endif
#endif
