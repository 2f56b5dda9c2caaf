/* SPDX-License-Identifier: MIT
 *
 * Line buffers: memory of the caller's in which a thread's calls stand as lines of whole words, behind a control area that says
 * all that a reader needs: a RAM image, or a debugger, is enough to read them. The target writes them (target/recorder/lines/),
 * the host reads them, and assembly includes this file for the numbers.
 *
 * A word has the size of a pointer, and the byte order of the machine. The control area begins with eight bytes, then come its
 * words, then the lines:
 *
 *     u32 magic    LINES_MAGIC: its bytes tell the byte order
 *     u32 what     bits 0–7 LINES_VERSION; 8–15 LINES_KIND_…; 16–19 registers kept in a trace line, bit n: rn;
 *                  20–23 not 0: the short ways may be taken; 24–31 bytes in a word
 *     word[0 …]    by kind: LINES_TRACE_…, LINES_COST_…, LINES_STATS_…
 *
 * The control area is aligned to a word (of statistics: to 8 bytes). LINES_…_BEGIN holds the address of the byte behind it, so
 * that whoever has only the bytes knows where they lay.
 *
 * Call trace, a line: name, lr, and of r0–r3 those that are kept. Lines stand from BEGIN to CURSOR, oldest first, STRIDE bytes
 * each.
 *     stack  Those are the open calls. A line whose name is LINES_TAG_UNWRITTEN stands for as many open calls as its lr says.
 *            A line whose name is 0 is being written. On top of all there are UNWRITTEN more, without a line.
 *     log    All calls. When WRAPS is not 0, the lines from CURSOR to END are older, and there, too. Behind the lines, at LEVELS,
 *            is a u32 for each: how deep it was called, from an origin that nobody knows. LEVEL: the thread is so deep now.
 *
 * Function cost, a line: three words {name, ticks, away}, oldest first, from BEGIN to CURSOR.
 *     name              a function was entered at ticks
 *     LINES_TAG_EXIT    the innermost open one was left
 * Calls without a line (no room, or entered while disabled) are not there at all; what they took is in their callers'. Their exits
 * are swallowed: the recorder keeps how many are open, and of those that calls with a line were called from, a gap each, from END
 * down to GAPS: {how many, what BASE was, not used}.
 * ticks are the low bits, as many as a word has, of a clock of HZ ticks a second (0: not known). away: so many ticks since the line
 * before (AWAY: since the last one) the thread did not run, or was not to be recorded; they are nobody's.
 *
 * Statistics: rows {word name, word 0, u64 calls, u64 self ticks, u64 total ticks}, USED of them; the last of all that have room
 * is that of all functions that found none, when its name is LINES_TAG_OTHERS. */
#ifndef DWELL_CORE_LINES_H
#define DWELL_CORE_LINES_H

#define LINES_MAGIC 0x4e4c5744 /* "DWLN" where the lowest byte comes first */
#define LINES_VERSION 2
#define LINES_KIND_STACK 1
#define LINES_KIND_LOG 2
#define LINES_KIND_COST 3
#define LINES_KIND_STATS 4

/* Words that are no address of a name: counted from all ones down. */
#define LINES_TAG_EXIT -1
#define LINES_TAG_UNWRITTEN -3
#define LINES_TAG_OTHERS -4

#define LINES_HEAD_BYTES 8

/* clang-format off */
/* Words of a call trace's control area. Their order is what the hot paths load and store at once. */
#define LINES_TRACE_STRIDE 0     /* bytes in a line */
#define LINES_TRACE_FLOOR 1      /* an exit takes the short way when the cursor is above it; all ones: log; less 1: some are unwritten */
#define LINES_TRACE_CURSOR 2     /* address of the next line */
#define LINES_TRACE_LIMIT 3      /* an entry takes the short way when the cursor is below it (stack); else 0 */
#define LINES_TRACE_LEVEL_AT 4   /* log: address of the next line's level */
#define LINES_TRACE_LEVEL 5      /* log: open calls, counted from an unknown origin */
#define LINES_TRACE_LOG_LIMIT 6  /* an entry takes the short way when the cursor is below it (log); else 0 */
#define LINES_TRACE_BEGIN 7      /* address of the first line */
#define LINES_TRACE_END 8        /* and behind the last one there is room for */
#define LINES_TRACE_LEVELS 9     /* address of the first line's level */
#define LINES_TRACE_STATE 10     /* LINES_STATE_… */
#define LINES_TRACE_UNWRITTEN 11 /* stack: innermost open calls that have no line */
#define LINES_TRACE_WRAPS 12     /* log: how often the first line was used again */
#define LINES_TRACE_MISSED 13    /* calls of handlers that interrupted the recorder itself */
#define LINES_TRACE_EARLY 14     /* exits of functions that were entered before the recording began */
#define LINES_TRACE_BUSY 15      /* the recorder is at work: whoever interrupts it keeps out */
#define LINES_TRACE_IN_USE 16    /* a thread has it */
#define LINES_TRACE_BASE 17      /* stack: FLOOR while no calls are unwritten: behind the topmost line that stands for such calls */
#define LINES_TRACE_WORDS 18

/* Words of a function cost's control area. */
#define LINES_COST_EXIT_BAR 0   /* an exit takes the short way when LIMIT is below it */
#define LINES_COST_TICK_AT 1    /* address of a 32-bit counter; the short way reads it */
#define LINES_COST_LIMIT 2      /* an entry takes the short way when the cursor is below: its exit and those of all open calls fit, too */
#define LINES_COST_AWAY 3       /* ticks away since the last line */
#define LINES_COST_CURSOR 4     /* address of the next line */
#define LINES_COST_LEFT 5       /* the tick at which the thread was switched away from */
#define LINES_COST_BEGIN 6      /* address of the first line */
#define LINES_COST_END 7        /* and behind the last one there is room for */
#define LINES_COST_HELD 8       /* what LIMIT is when it is not 0 to have everything take the long way */
#define LINES_COST_BASE 9       /* what LIMIT is when no call above the innermost gap is open; EXIT_BAR, when it is not 0 */
#define LINES_COST_STATE 10     /* LINES_STATE_… */
#define LINES_COST_UNWRITTEN 11 /* innermost open calls that have no line */
#define LINES_COST_OFF_CALLS 12 /* while disabled: open calls that were entered since, inside of these */
#define LINES_COST_GAPS 13      /* address of the innermost gap; END: none */
#define LINES_COST_DROPPED 14   /* calls that did not fit, since the last summary */
#define LINES_COST_HALVES 15    /* calls that were entered while disabled and went on when enabled, since the last summary */
#define LINES_COST_MISSED 16    /* calls of handlers that interrupted the recorder itself, since the last summary */
#define LINES_COST_EARLY 17     /* exits of functions that were entered before the recording began, since the last summary */
#define LINES_COST_OFF_AWAY 18  /* while disabled: AWAY when that began … */
#define LINES_COST_OFF_TICK 19  /* … and the tick */
#define LINES_COST_HZ 20        /* ticks in a second, or 0 */
#define LINES_COST_BUSY 21      /* the recorder is at work: whoever interrupts it keeps out */
#define LINES_COST_IN_USE 22    /* a thread has it */
#define LINES_COST_ABANDONED 23 /* calls that were left without an exit (longjmp), as the program said, since the last summary */
#define LINES_COST_SEEN_SP 24   /* the stack pointer at the last summary … */
#define LINES_COST_SEEN_LR 25   /* … where it was asked for, 0: there was none … */
#define LINES_COST_SEEN_OPEN 26 /* … and how many calls were open */
#define LINES_COST_WORDS 27
#define LINES_COST_LINE_WORDS 3

/* Words of the statistics' control area; the rows begin at the next multiple of 8 bytes. */
#define LINES_STATS_BEGIN 0    /* address of the first row */
#define LINES_STATS_CAPACITY 1 /* rows there is room for */
#define LINES_STATS_USED 2     /* rows there are */
#define LINES_STATS_BUSY 3     /* somebody summarises */
#define LINES_STATS_DROPPED 4  /* calls that did not fit into measurement buffers */
#define LINES_STATS_HALVES 5   /* calls that were entered while disabled and went on when enabled */
#define LINES_STATS_MISSED 6   /* calls of handlers that interrupted the recorder itself */
#define LINES_STATS_EARLY 7    /* exits of functions that were entered before the recording began */
#define LINES_STATS_HZ 8       /* ticks in a second, or 0 */
#define LINES_STATS_ABANDONED 9 /* calls that were left without an exit, as the program said */
#define LINES_STATS_NOT_LEFT 10 /* calls that seem to have been left so, and nobody said it: times of their callers are wrong */
#define LINES_STATS_WORDS 11

#define LINES_STATE_ENABLED 1 /* calls are recorded */
#define LINES_STATE_NONE 2    /* this is no buffer: it stands for the one that a thread has not */
/* clang-format on */

#ifndef __ASSEMBLER__

#include <stdint.h>

typedef uintptr_t lines_word;

#define LINES_TAG(tag) ((lines_word)(intptr_t)(tag))
#define LINES_WHAT(kind, registers)                                                                                                \
	((uint32_t)(LINES_VERSION | (uint32_t)(kind) << 8 | (uint32_t)(registers) << 16 | (uint32_t)sizeof(lines_word) << 24))

/* The control areas of this machine. The words are volatile: handlers and debuggers look at any instruction. */
struct lines_trace {
	uint32_t magic, what;
	volatile lines_word stride, floor, cursor, limit, level_at, level, log_limit, begin, end, levels, state, unwritten, wraps,
		missed, early, busy, in_use, base;
};

struct lines_cost {
	uint32_t magic, what;
	volatile lines_word exit_bar, tick_at, limit, away, cursor, left, begin, end, held, base, state, unwritten, off_calls, gaps,
		dropped, halves, missed, early, off_away, off_tick, hz, busy, in_use, abandoned, seen_sp, seen_lr, seen_open;
};

struct lines_stats {
	uint32_t magic, what;
	volatile lines_word begin, capacity, used, busy, dropped, halves, missed, early, hz, abandoned, not_left;
};

struct lines_row {
	lines_word name;
	lines_word open; /* calls of it that are open, while lines are summarised; else 0 */
	uint64_t calls, self_ticks, total_ticks;
};

_Static_assert(sizeof(struct lines_trace) == LINES_HEAD_BYTES + LINES_TRACE_WORDS * sizeof(lines_word), "a word each");
_Static_assert(sizeof(struct lines_cost) == LINES_HEAD_BYTES + LINES_COST_WORDS * sizeof(lines_word), "a word each");
_Static_assert(sizeof(struct lines_stats) == LINES_HEAD_BYTES + LINES_STATS_WORDS * sizeof(lines_word), "a word each");

#endif
#endif
