/* SPDX-License-Identifier: MIT
 *
 * Histograms: counters in a program's memory. A sampling interrupt counts the program counter: one 16-bit
 * counter for each 32-bit word of text. The target writes them (classic/target/recorder/histogram/); the
 * host reads them over the wire (classic/core/wire.h), through a debugger or in a RAM image.
 *
 * A control area describes the histogram. It is aligned to a word,
 * which has the size of a pointer, in the byte order of the machine:
 *
 *     u32 magic    HISTOGRAM_MAGIC: its bytes show the byte order
 *     u32 what     bits 0–7 HISTOGRAM_VERSION; 8–15 bytes in a counter; 16–23 bytes of text per counter; 24–31 bytes in a word
 *     word[0 …]    HISTOGRAM_WORD_…
 *
 * SELF is the address of the control area. A reader that has only the bytes learns their
 * addresses from SELF; a reader that has the addresses rejects a control area with another SELF.
 * A segment is four words, HISTOGRAM_SEGMENT_…; segments are sorted by text and do not overlap.
 *
 * Each interrupt counts once: in a counter; in OVERFLOW, if it was in no segment; or in BEYOND, if the counter was at 65535. */
#ifndef DWELL_CLASSIC_CORE_HISTOGRAM_H
#define DWELL_CLASSIC_CORE_HISTOGRAM_H

#define HISTOGRAM_MAGIC 0x53485744 /* "DWHS" where the lowest byte comes first */
#define HISTOGRAM_VERSION 1
#define HISTOGRAM_HEAD_BYTES 8

/* clang-format off */
#define HISTOGRAM_WORD_SELF 0      /* address of the control area */
#define HISTOGRAM_WORD_LAST 1      /* address of the segment that was hit last */
#define HISTOGRAM_WORD_SEGMENTS 2  /* address of the first segment */
#define HISTOGRAM_WORD_STEP 3      /* first step of the search: half of the least power of two >= COUNT */
#define HISTOGRAM_WORD_OVERFLOW 4  /* interrupts outside of all segments; stays at 2^32 − 1 */
#define HISTOGRAM_WORD_BEYOND 5    /* interrupts whose counter was full; stays at 2^32 − 1 */
#define HISTOGRAM_WORD_WANTED 6    /* not 0: WANTED of a segment is not 0 */
#define HISTOGRAM_WORD_COUNT 7     /* number of segments */
#define HISTOGRAM_WORD_STATE 8     /* HISTOGRAM_STATE_… */
#define HISTOGRAM_WORD_PERIOD 9    /* average microseconds between interrupts; 0: never started */
#define HISTOGRAM_WORD_TAKEN 10    /* number of the last TAKE (classic/core/wire.h) that was subtracted from the counters */
#define HISTOGRAM_WORDS 11

#define HISTOGRAM_SEGMENT_TEXT 0     /* address of its first instruction */
#define HISTOGRAM_SEGMENT_BYTES 1    /* bytes of text that have counters */
#define HISTOGRAM_SEGMENT_COUNTERS 2 /* address of the first counter */
#define HISTOGRAM_SEGMENT_WANTED 3   /* not 0: a counter passed HISTOGRAM_NEAR since the host fetched the segment */
#define HISTOGRAM_SEGMENT_WORDS 4
/* clang-format on */

#define HISTOGRAM_COUNTER_BYTES 2
#define HISTOGRAM_TEXT_BYTES 4
#define HISTOGRAM_COUNTER_MAX 0xffff
/* The host should fetch a counter that passes this value. The other half of the range lasts 1.6 s, if the program stays at
 * one instruction and the rate is the highest. The value is the counter's highest bit, so an interrupt tests only one bit. */
#define HISTOGRAM_NEAR 0x8000

#define HISTOGRAM_STATE_RUNNING 1
#define HISTOGRAM_STATE_FIXED 2 /* the period is constant */

#ifndef __ASSEMBLER__

#include <stdint.h>

#define HISTOGRAM_WHAT                                                                                                             \
	(HISTOGRAM_VERSION | HISTOGRAM_COUNTER_BYTES << 8 | HISTOGRAM_TEXT_BYTES << 16 | (uint32_t)sizeof(uintptr_t) << 24)

/* The control area and segment of this machine. The words that an interrupt writes are volatile. */
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
