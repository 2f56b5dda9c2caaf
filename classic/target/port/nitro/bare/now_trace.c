/* SPDX-License-Identifier: MIT
 *
 * The running thread's call trace, which the assembly reads (cpu/armv5te/trace.S). */
#include <stddef.h>

#include "classic/target/port/nitro/port.h"

struct lines_trace dwell_trace_none = {.floor = (lines_word)-2, .state = LINES_STATE_NONE};
volatile lines_word *dwell_trace_now = &dwell_trace_none.cursor;

struct lines_trace *nitro_port_get_trace(void)
{
	struct lines_trace *trace = (struct lines_trace *)((char *)dwell_trace_now - offsetof(struct lines_trace, cursor));

	return trace->state & LINES_STATE_NONE ? 0 : trace;
}

void nitro_port_set_trace(struct lines_trace *trace)
{
	dwell_trace_now = trace ? &trace->cursor : &dwell_trace_none.cursor;
}

uint32_t nitro_port_registers(void)
{
	return 0xf;
}

bool nitro_port_short_ways(void)
{
	return true;
}
