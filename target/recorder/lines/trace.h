/* SPDX-License-Identifier: MIT
 *
 * The recorder of call traces: lines in the caller's buffer (core/lines.h), one buffer for each thread. In stack mode the lines
 * are the live chain, in log mode the latest calls.
 *
 * What is not written is counted, so that the chain is right again as soon as it can be: calls deeper than the buffer, calls
 * entered while disabled, chains that were cleared. Their exits remove nothing. A call on top of such calls gets a line that
 * says how many they are beneath it.
 *
 * A handler that interrupts these functions and calls some that are recorded keeps out, with entry and exit; it is counted.
 * Between any other two instructions handlers are recorded: they leave the chain as they found it. */
#ifndef DWELL_RECORDER_LINES_TRACE_H
#define DWELL_RECORDER_LINES_TRACE_H

#include <stdbool.h>

#include "core/lines.h"

#define TRACE_REGISTERS 4

/* Bytes of a line that keeps these registers (bit n: rn), and of what a line takes in the buffer, which is more: its level. */
uint32_t dwell_trace_stride(uint32_t registers);
uint32_t dwell_trace_room(uint32_t registers);

/* Makes a buffer of the bytes: calls of kind (LINES_KIND_STACK, LINES_KIND_LOG), enabled. Returns its control area, somewhat
 * behind buffer if that is not aligned; null, and nothing is written, when not even one line fits. short_ways: assembly may take
 * them.
 * Context: the thread that will record, or nobody yet. */
struct lines_trace *dwell_trace_make(void *buffer, uint32_t bytes, uint32_t kind, uint32_t registers, bool short_ways);

/* How many lines fit into so many bytes, aligned. */
uint32_t dwell_trace_capacity(uint32_t bytes, uint32_t registers);

/* A function was entered, and left. arguments: r0–r3, or what stands for them.
 * Context: the buffer's thread, and handlers on it; never blocks. Some 40 instructions; an exit of the last of some calls
 * without a line looks for the next such calls below, a line at a time. */
void dwell_trace_enter(struct lines_trace *trace, lines_word name, lines_word lr, const lines_word *arguments);
void dwell_trace_exit(struct lines_trace *trace);

/* Whether calls are recorded from here on; returns whether they were. Exits of calls that have a line remove it either way.
 * Context: the buffer's thread. */
bool dwell_trace_enable(struct lines_trace *trace, bool enable);

/* Nothing was recorded, nor missed, since the buffer was made. */
bool dwell_trace_is_unused(const struct lines_trace *trace);

/* How many calls are open, with a line or without; of a log, counted from an unknown origin. 0 where there is no buffer.
 * Context: the buffer's thread. */
uint32_t dwell_trace_depth(const struct lines_trace *trace);

/* Calls deeper than that were left without exits, as longjmp does: they end here.
 * Context: the buffer's thread. */
void dwell_trace_unwind(struct lines_trace *trace, uint32_t depth);

/* Takes all lines out. Calls that are open stay open, without a line.
 * Context: the buffer's thread. */
void dwell_trace_clear(struct lines_trace *trace);

/* A line as it is to be shown. */
struct trace_line {
	lines_word unwritten; /* not 0: it stands for so many calls that have no line, and nothing below is valid */
	lines_word name, lr;
	lines_word argument[TRACE_REGISTERS]; /* those that are kept */
	uint32_t level; /* log: how much deeper than the least deep line */
};

/* Looks at lines, newest first:
 *     struct trace_look look;
 *     dwell_trace_look(trace, &look);
 *     while (dwell_trace_next(&look, &line)) … */
struct trace_look {
	const struct lines_trace *trace;
	uint32_t registers;
	bool log;
	lines_word unwritten; /* calls above the first line, until they are told */
	lines_word at, left; /* lines that are left, from the one before at */
	uint32_t least; /* log: the least level */
};

void dwell_trace_look(const struct lines_trace *trace, struct trace_look *look);
bool dwell_trace_next(struct trace_look *look, struct trace_line *line);

#endif
