/* SPDX-License-Identifier: MIT
 *
 * Line buffers: memory of the caller's that holds the calls of one thread, as lines of whole words behind a control area.
 * The control area describes the lines completely, so a RAM image or a debugger is enough to read them. The target writes
 * the lines (classic/target/recorder/lines/), the host reads them, and assembly includes this file for the numbers.
 *
 * A word has the size of a pointer, and the byte order of the machine. The
 * control area begins with eight bytes, then come its words, then the lines:
 *
 *     u32 magic    LINES_MAGIC: its bytes show the byte order
 *     u32 what     bits 0–7 LINES_VERSION; 8–15 LINES_KIND_…; 16–19 registers kept in a trace line, bit n: rn;
 *                  20–23 not 0: the assembly may take its short ways; 24–31 bytes in a word
 *     word[0 …]    by kind: LINES_TRACE_…, LINES_COST_…, LINES_STATS_…
 *
 * The control area is aligned to a word (statistics: to 8 bytes). LINES_…_BEGIN holds the address of the byte behind
 * the control area (statistics: of the first row), so a reader that has only the bytes learns their addresses.
 *
 * Call trace, a line: name, lr, and the kept registers of r0–r3. Lines stand from BEGIN to CURSOR, oldest first, STRIDE bytes each.
 *     stack  The lines are the open calls. A line whose name is LINES_TAG_UNWRITTEN stands for several open calls; its lr is their
 *            number. A line whose name is 0 is being written. The innermost UNWRITTEN calls have no line.
 *     log    The lines are all calls. If WRAPS is not 0, the lines from CURSOR to END are valid, too, and older. Behind the lines,
 *            at LEVELS, each line has a u32: the depth of its call, from an unknown origin. LEVEL is the thread's depth now.
 *
 * Function cost, a line: three words {name, ticks, away}, oldest first, from BEGIN to CURSOR.
 *     name              a function was entered at ticks
 *     LINES_TAG_EXIT    the innermost open function was left at ticks
 * Calls that found no room, or were entered while disabled, have neither an entry nor an exit here; their time counts for
 * their callers. The recorder counts such open calls, to skip their exits. A call with a line on top of them pushes a
 * gap: gaps lie from END down to GAPS, each {number of calls without a line, BASE before, unused}. ticks are the low
 * bits, as many as a word has, of a clock with HZ ticks a second (0: unknown). away: ticks since the previous line (AWAY:
 * since the last line) in which the thread did not run, or recording was disabled. No function is charged with them.
 *
 * Statistics: while BUSY, the lines of that buffer from NEXT on are not in the rows yet. The first OPEN lines hold the
 * names of the calls open at NEXT; the rest of these lines, and the lines up to NEXT, are the recorder's own.
 *     USED rows {word name, word 0, u64 calls, u64 self ticks, u64 total ticks}. If the name of
 * the last row that fits is LINES_TAG_OTHERS, this row is the sum of all functions that found no row. */
#ifndef DWELL_CLASSIC_CORE_LINES_H
#define DWELL_CLASSIC_CORE_LINES_H

#define LINES_MAGIC 0x4e4c5744 /* "DWLN" where the lowest byte comes first */
#define LINES_VERSION 3
#define LINES_KIND_STACK 1
#define LINES_KIND_LOG 2
#define LINES_KIND_COST 3
#define LINES_KIND_STATS 4

/* Names that are no address, counted down from all ones. */
#define LINES_TAG_EXIT -1
#define LINES_TAG_UNWRITTEN -3
#define LINES_TAG_OTHERS -4

#define LINES_HEAD_BYTES 8

/* clang-format off */
/* Words of a call trace's control area. The hot paths load and store neighbours together, hence the order. */
#define LINES_TRACE_STRIDE 0     /* bytes in a line */
#define LINES_TRACE_FLOOR 1      /* an exit takes the short way if the cursor is above
                                  * FLOOR; all ones: log; less 1: UNWRITTEN is not 0 */
#define LINES_TRACE_CURSOR 2     /* address of the next line */
#define LINES_TRACE_LIMIT 3      /* stack: an entry takes the short way if the cursor is below LIMIT; else 0.
                                  * log: if entries take the short way without all registers, 16 + the registers' bits; else 0 */
#define LINES_TRACE_LEVEL_AT 4   /* log: address of the next line's level */
#define LINES_TRACE_LEVEL 5      /* log: open calls, counted from an unknown origin */
#define LINES_TRACE_LOG_LIMIT 6  /* log: an entry takes the short way if the cursor is below LOG_LIMIT; else 0 */
#define LINES_TRACE_BEGIN 7      /* address of the first line */
#define LINES_TRACE_END 8        /* end address of the room for lines */
#define LINES_TRACE_LEVELS 9     /* address of the first line's level */
#define LINES_TRACE_STATE 10     /* LINES_STATE_… */
#define LINES_TRACE_UNWRITTEN 11 /* stack: innermost open calls that have no line */
#define LINES_TRACE_WRAPS 12     /* log: how often CURSOR went back to BEGIN */
#define LINES_TRACE_MISSED 13    /* calls in handlers that interrupted the recorder itself */
#define LINES_TRACE_EARLY 14     /* exits of functions that were entered before the recording began */
#define LINES_TRACE_BUSY 15      /* the recorder is running: handlers that interrupt it do not record */
#define LINES_TRACE_IN_USE 16    /* a thread owns the buffer */
#define LINES_TRACE_BASE 17      /* stack: FLOOR while UNWRITTEN is 0: the end of the topmost LINES_TAG_UNWRITTEN line, or BEGIN */
#define LINES_TRACE_WORDS 18

/* Words of a function cost's control area. */
#define LINES_COST_EXIT_BAR 0   /* an exit takes the short way if LIMIT is below EXIT_BAR */
#define LINES_COST_TICK_AT 1    /* address of a 32-bit counter, which the short way reads */
#define LINES_COST_LIMIT 2      /* an entry takes the short way if the cursor is below
                                 * LIMIT: its exit and the exits of all open calls fit, too */
#define LINES_COST_AWAY 3       /* ticks away since the last line */
#define LINES_COST_CURSOR 4     /* address of the next line */
#define LINES_COST_LEFT 5       /* the tick at which the thread was switched out */
#define LINES_COST_BEGIN 6      /* address of the first line */
#define LINES_COST_END 7        /* end address of the room for lines and gaps */
#define LINES_COST_HELD 8       /* the value of LIMIT while LIMIT is 0, which makes every call take the long way */
#define LINES_COST_BASE 9       /* LIMIT while no call above the innermost gap is open; EXIT_BAR is BASE or 0 */
#define LINES_COST_STATE 10     /* LINES_STATE_… */
#define LINES_COST_UNWRITTEN 11 /* innermost open calls that have no line */
#define LINES_COST_OFF_CALLS 12 /* while disabled: open calls that were entered since disabling */
#define LINES_COST_GAPS 13      /* address of the innermost gap; END: none */
#define LINES_COST_DROPPED 14   /* calls that did not fit, since the last summary */
#define LINES_COST_HALVES 15    /* calls that were entered while disabled and still open when enabled, since the last summary */
#define LINES_COST_MISSED 16    /* calls in handlers that interrupted the recorder itself, since the last summary */
#define LINES_COST_EARLY 17     /* exits of functions that were entered before the recording began, since the last summary */
#define LINES_COST_OFF_AWAY 18  /* AWAY at the time of disabling */
#define LINES_COST_OFF_TICK 19  /* the tick at the time of disabling */
#define LINES_COST_HZ 20        /* ticks in a second, or 0 */
#define LINES_COST_BUSY 21      /* the recorder is running: handlers that interrupt it do not record */
#define LINES_COST_IN_USE 22    /* a thread owns the buffer */
#define LINES_COST_ABANDONED 23 /* calls that longjmp left without an exit, as the program reported, since the last summary */
#define LINES_COST_SEEN_SP 24   /* the stack pointer at the last summary */
#define LINES_COST_SEEN_LR 25   /* the return address at the last summary; 0: there was no summary */
#define LINES_COST_SEEN_OPEN 26 /* open calls at the last summary */
#define LINES_COST_WORDS 27
#define LINES_COST_LINE_WORDS 3

/* Words of the statistics' control area; the rows begin at the next multiple of 8 bytes. */
#define LINES_STATS_BEGIN 0    /* address of the first row */
#define LINES_STATS_CAPACITY 1 /* rows that fit */
#define LINES_STATS_USED 2     /* rows in use */
#define LINES_STATS_BUSY 3     /* address of the first line of the buffer that is being counted into the rows; 0: none */
#define LINES_STATS_DROPPED 4  /* calls that did not fit into measurement buffers */
#define LINES_STATS_HALVES 5   /* calls that were entered while disabled and still open when enabled */
#define LINES_STATS_MISSED 6   /* calls in handlers that interrupted the recorder itself */
#define LINES_STATS_EARLY 7    /* exits of functions that were entered before the recording began */
#define LINES_STATS_HZ 8       /* ticks in a second, or 0 */
#define LINES_STATS_ABANDONED 9 /* calls that longjmp left without an exit, as the program reported */
#define LINES_STATS_NOT_LEFT 10 /* calls that longjmp left, found without a report: the times of callers are wrong */
#define LINES_STATS_STEP 11    /* progress of the counting: 1 or 2, the valid step below; 0: no line is counted */
#define LINES_STATS_STEPS 12   /* two steps of three words; the recorder writes the other one, then STEP */
#define LINES_STATS_STEP_WORDS 3
#define LINES_STEP_NEXT 0      /* the lines before this one are counted */
#define LINES_STEP_OPEN 1      /* calls open at NEXT: the first lines hold their names */
#define LINES_STEP_TICKS 2     /* ticks of the last counted line */
#define LINES_STATS_WORDS 18

#define LINES_STATE_ENABLED 1 /* calls are recorded */
#define LINES_STATE_NONE 2    /* no buffer: a placeholder for threads without a buffer */
/* clang-format on */

#ifndef __ASSEMBLER__

#include <stdint.h>

typedef uintptr_t lines_word;

#define LINES_TAG(tag) ((lines_word)(intptr_t)(tag))
#define LINES_WHAT(kind, registers)                                                                                                \
	((uint32_t)(LINES_VERSION | (uint32_t)(kind) << 8 | (uint32_t)(registers) << 16 | (uint32_t)sizeof(lines_word) << 24))

/* The control areas of this machine. The words are volatile because handlers and debuggers read them at any instruction. */
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
	volatile lines_word begin, capacity, used, busy, dropped, halves, missed, early, hz, abandoned, not_left, step;
	struct lines_step {
		lines_word next, open, ticks;
	} volatile steps[2];
};

struct lines_row {
	lines_word name;
	lines_word open; /* open calls of this function, while lines are summarised; else 0 */
	uint64_t calls, self_ticks, total_ticks;
};

_Static_assert(sizeof(struct lines_trace) == LINES_HEAD_BYTES + LINES_TRACE_WORDS * sizeof(lines_word), "a word each");
_Static_assert(sizeof(struct lines_cost) == LINES_HEAD_BYTES + LINES_COST_WORDS * sizeof(lines_word), "a word each");
_Static_assert(sizeof(struct lines_stats) == LINES_HEAD_BYTES + LINES_STATS_WORDS * sizeof(lines_word), "a word each");

#endif
#endif
