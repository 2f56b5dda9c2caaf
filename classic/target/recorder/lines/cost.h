/* SPDX-License-Identifier: MIT
 *
 * The recorder of function cost: writes lines of entries and exits to the caller's buffer
 * (classic/core/lines.h), one buffer for each thread. classic/core/cost.c makes statistics of the lines.
 *
 * An entry reserves room for its exit. So the recorder writes the exit of each recorded entry, even if the buffer is full or
 * recording is disabled by then. An entry without room gets no line: the recorder counts it (dropped) and skips its exit. An entry
 * while recording is disabled gets no line either, and the recorder skips its exit. If such a call is still open when recording
 * goes on, the recorder counts the call (halves).
 *
 * A call with a line may begin inside of calls without lines. Then a gap, a line at the end of the buffer, keeps the number of
 * those calls. After the exit of the call with the line, the recorder skips as many exits. Exits behind these are of outer calls
 * with lines, so the recorder writes them.
 *
 * ticks are the low bits, as many as a word has, of a clock that counts up; differences are modulo that.
 * So with 32 bits a thread may be away for any time, and may run for up to 2^32 ticks between two lines.
 *
 * A handler that interrupts these functions records nothing, and its calls are counted, as in call traces. */
#ifndef DWELL_CLASSIC_RECORDER_LINES_COST_H
#define DWELL_CLASSIC_RECORDER_LINES_COST_H

#include <stdbool.h>

#include "classic/core/lines.h"

#define COST_LINE_BYTES (LINES_COST_LINE_WORDS * (uint32_t)sizeof(lines_word))

/* Makes an enabled buffer of the bytes. Returns the control area, which begins behind buffer
 * if buffer is not aligned. Null, and nothing is written: not even one call fits. tick_at:
 * address of the counter for the short ways in assembly; 0: no short ways. tick: the time now.
 * Context: the thread that will record, or before any thread records. */
struct lines_cost *dwell_cost_make(void *buffer, uint32_t bytes, uintptr_t tick_at, lines_word tick, uint32_t hz);

/* Returns how many calls (an entry and an exit each) fit into this many aligned bytes. */
uint32_t dwell_cost_capacity(uint32_t bytes);

/* Records the entry, and the exit, of a function.
 * Context: the buffer's thread, and handlers on it; never blocks; some 40 instructions. */
void dwell_cost_enter(struct lines_cost *cost, lines_word name, lines_word tick);
void dwell_cost_exit(struct lines_cost *cost, lines_word tick);

/* Adds ticks in which the thread was away. The switch of threads calls this
 * function, or other code that measures the time away, before the next line.
 * Context: the buffer's thread, or the switch to that thread. */
static inline void dwell_cost_away(struct lines_cost *cost, lines_word ticks)
{
	cost->away += ticks;
}

/* Switches recording on or off; returns the state before. No function is charged with the time while off.
 * Context: the buffer's thread. */
bool dwell_cost_enable(struct lines_cost *cost, bool enable, lines_word tick);

/* Returns how many calls are open, with a line or without. 0 without a buffer.
 * Context: the buffer's thread. */
uint32_t dwell_cost_depth(const struct lines_cost *cost);

/* Ends and counts the open calls deeper than depth, which longjmp left without exits.
 * Context: the buffer's thread. */
void dwell_cost_unwind(struct lines_cost *cost, uint32_t depth, lines_word tick);

/* sp and lr are the caller's stack pointer and return address. If the last call of this function had the same sp and lr,
 * returns how many more calls are open now, minus the early exits since the last clear; 0: no more, or another sp or lr. The same
 * calls lead to the same place on the same stack. So the program left the additional calls without an exit, and did not report it.
 * Context: the buffer's thread. */
uint32_t dwell_cost_see(struct lines_cost *cost, lines_word sp, lines_word lr);

/* Returns the number of open calls above the function's innermost open call. Names are compared by text. If no call of the
 * function is open: the number of all open calls. 0 also if a call without a line is open, since that call's name is unknown.
 * Context: the buffer's thread, with all lines counted and only those of open calls kept. */
uint32_t dwell_cost_above(const struct lines_cost *cost, const char *function);

/* Removes all lines: an open call is charged only with its time from here on, and counts of what was not recorded become 0.
 * Context: the buffer's thread. */
void dwell_cost_clear(struct lines_cost *cost, lines_word tick);

/* For making statistics: dwell_cost_take returns the number of lines. dwell_cost_keep removes
 * all lines but the first ones, which are entries of the calls that are still open.
 * Context: the buffer's thread. Recording goes on behind the lines; dwell_cost_keep: the caller must keep handlers out. */
uint32_t dwell_cost_take(const struct lines_cost *cost);
void dwell_cost_keep(struct lines_cost *cost, uint32_t open);

#endif
