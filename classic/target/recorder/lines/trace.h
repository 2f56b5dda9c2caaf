/* SPDX-License-Identifier: MIT
 *
 * The recorder of call traces: writes lines to the caller's buffer (classic/core/lines.h), one buffer
 * for each thread. In stack mode the lines are the chain of open calls, in log mode the latest calls.
 *
 * The recorder counts calls without a line, so the chain is correct again as soon as possible:
 * calls deeper than the buffer, calls entered while disabled, chains that were cleared. Their
 * exits remove no line. A call on top of such calls pushes a line with their number first.
 *
 * A handler that interrupts these functions and calls recorded functions records neither their entries nor their exits;
 * the calls are counted. Between any other two instructions handlers are recorded: they leave the chain as they found it. */
#ifndef DWELL_CLASSIC_RECORDER_LINES_TRACE_H
#define DWELL_CLASSIC_RECORDER_LINES_TRACE_H

#include <stdbool.h>

#include "classic/core/lines.h"

#define TRACE_REGISTERS 4

/* dwell_trace_stride returns the bytes of a line that keeps these registers (bit n:
 * rn); dwell_trace_room the bytes that the line needs in the buffer, with its level. */
uint32_t dwell_trace_stride(uint32_t registers);
uint32_t dwell_trace_room(uint32_t registers);

/* Makes an enabled buffer of the bytes; kind is LINES_KIND_STACK or LINES_KIND_LOG. Returns
 * the control area, which begins behind buffer if buffer is not aligned. Null, and nothing
 * is written: not even one line fits. short_ways: assembly may take its short ways.
 * Context: the thread that will record, or before any thread records. */
struct lines_trace *dwell_trace_make(void *buffer, uint32_t bytes, uint32_t kind, uint32_t registers, bool short_ways);

/* Returns how many lines fit into this many aligned bytes. */
uint32_t dwell_trace_capacity(uint32_t bytes, uint32_t registers);

/* Records the entry, and the exit, of a function. arguments: r0–r3, or their equivalents.
 * Context: the buffer's thread, and handlers on it; never blocks. Some 40 instructions; when the exits of
 * calls without a line reach the next line, the recorder searches for the next such calls below, line by line. */
void dwell_trace_enter(struct lines_trace *trace, lines_word name, lines_word lr, const lines_word *arguments);
void dwell_trace_exit(struct lines_trace *trace);

/* Switches recording on or off; returns the state before. The exit of a call with a line removes the line either way.
 * Context: the buffer's thread. */
bool dwell_trace_enable(struct lines_trace *trace, bool enable);

/* Whether nothing was recorded or missed since the buffer was made. */
bool dwell_trace_is_unused(const struct lines_trace *trace);

/* Returns how many calls are open, with a line or without; of a log, counted from an unknown origin. 0 without a buffer.
 * Context: the buffer's thread. */
uint32_t dwell_trace_depth(const struct lines_trace *trace);

/* Ends the open calls deeper than depth, which longjmp left without exits.
 * Context: the buffer's thread. */
void dwell_trace_unwind(struct lines_trace *trace, uint32_t depth);

/* Removes all lines. Open calls stay open, without a line.
 * Context: the buffer's thread. */
void dwell_trace_clear(struct lines_trace *trace);

/* A line for display. */
struct trace_line {
	lines_word unwritten; /* not 0: the line stands for this many calls without a line, and the members below are not valid */
	lines_word name, lr;
	lines_word argument[TRACE_REGISTERS]; /* the kept registers; 0 for the others */
	uint32_t level; /* log: how much deeper than the least deep line */
};

/* An iterator over lines, newest first:
 *     struct trace_look look;
 *     dwell_trace_look(trace, &look);
 *     while (dwell_trace_next(&look, &line)) … */
struct trace_look {
	const struct lines_trace *trace;
	uint32_t registers;
	bool log;
	lines_word unwritten; /* calls above the first line, until they are returned */
	lines_word at, left; /* the line after the next one; number of lines left */
	uint32_t least; /* log: the least level */
};

void dwell_trace_look(const struct lines_trace *trace, struct trace_look *look);
bool dwell_trace_next(struct trace_look *look, struct trace_line *line);

#endif
