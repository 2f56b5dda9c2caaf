/* SPDX-License-Identifier: MIT
 *
 * The recorder of function cost: lines of entries and exits in the caller's buffer (core/lines.h), one buffer for each thread,
 * until core/cost.c makes statistics of them.
 *
 * An entry takes room for its exit as well, so whatever has an entry gets its exit, however full the buffer is, and also while
 * disabled. An entry that finds no room swallows its exit and is counted; so does one while disabled, counted (halves) when it
 * still goes on as recording does. When a call gets a line that was called from such, how many they are is kept in a gap at the
 * end of the buffer: their exits are swallowed when their turn has come, and outer calls get theirs.
 *
 * ticks are as many low bits of a clock that counts up as a word has; differences are taken modulo that. So where they are 32, a
 * thread may be away for any time, and run for up to 2^32 ticks between two lines.
 *
 * A handler that interrupts these functions keeps out, and is counted, as in call traces. */
#ifndef DWELL_RECORDER_LINES_COST_H
#define DWELL_RECORDER_LINES_COST_H

#include <stdbool.h>

#include "core/lines.h"

#define COST_LINE_BYTES (LINES_COST_LINE_WORDS * (uint32_t)sizeof(lines_word))

/* Makes a buffer of the bytes, enabled. Returns its control area, somewhat behind buffer if that is not aligned; null, and
 * nothing is written, when not even one call fits. tick_at: the counter, for the short ways of assembly; 0: they are not taken.
 * tick: now.
 * Context: the thread that will record, or nobody yet. */
struct lines_cost *dwell_cost_make(void *buffer, uint32_t bytes, uintptr_t tick_at, lines_word tick, uint32_t hz);

/* How many calls (an entry and an exit each) fit into so many bytes, aligned. */
uint32_t dwell_cost_capacity(uint32_t bytes);

/* A function was entered, and left.
 * Context: the buffer's thread, and handlers on it; never blocks; some 40 instructions. */
void dwell_cost_enter(struct lines_cost *cost, lines_word name, lines_word tick);
void dwell_cost_exit(struct lines_cost *cost, lines_word tick);

/* The thread was away for so many ticks. Who switches threads says so; or whoever knows it otherwise, before the next line.
 * Context: the buffer's thread, or the switch to it. */
static inline void dwell_cost_away(struct lines_cost *cost, lines_word ticks)
{
	cost->away += ticks;
}

/* Whether calls are recorded from here on; returns whether they were. The time between is nobody's.
 * Context: the buffer's thread. */
bool dwell_cost_enable(struct lines_cost *cost, bool enable, lines_word tick);

/* How many calls are open, with a line or without. 0 where there is no buffer.
 * Context: the buffer's thread. */
uint32_t dwell_cost_depth(const struct lines_cost *cost);

/* Calls deeper than that were left without exits, as longjmp does: they end here, and are counted.
 * Context: the buffer's thread. */
void dwell_cost_unwind(struct lines_cost *cost, uint32_t depth, lines_word tick);

/* Somebody who is called from lr, with this stack pointer, looks at the calls. Returns how many more are open than when that was so the
 * last time: the same place on the same stack is reached by the same calls, so these were left without an exit, and nobody said it.
 * Context: the buffer's thread. */
uint32_t dwell_cost_see(struct lines_cost *cost, lines_word sp, lines_word lr);

/* Takes all lines out: of calls that are open, only what they take from here on counts. Returns how many calls had ended.
 * Context: the buffer's thread. */
void dwell_cost_clear(struct lines_cost *cost, lines_word tick);

/* For who makes statistics of the lines: those before the cursor of take are his, from dwell_cost_take to dwell_cost_give. Calls
 * go on being recorded behind them. Give: the first `open` lines are entries of calls that go on, and all others that were taken
 * are gone.
 * Context: the buffer's thread; what was recorded meanwhile is moved, with handlers kept out. */
uint32_t dwell_cost_take(const struct lines_cost *cost);
void dwell_cost_give(struct lines_cost *cost, uint32_t taken, uint32_t open);

#endif
