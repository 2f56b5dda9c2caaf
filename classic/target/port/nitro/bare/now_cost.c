/* SPDX-License-Identifier: MIT
 *
 * The running thread's function cost, which the assembly reads (cpu/armv5te/cost.S). */
#include <stddef.h>

#include "classic/target/port/nitro/port.h"

struct lines_cost dwell_cost_none = {.state = LINES_STATE_NONE};
volatile lines_word *dwell_cost_now = &dwell_cost_none.exit_bar;

struct lines_cost *nitro_port_cost_of(void *profile)
{
	struct lines_cost *cost = (struct lines_cost *)((char *)profile - offsetof(struct lines_cost, exit_bar));

	return cost->state & LINES_STATE_NONE ? 0 : cost;
}

struct lines_cost *nitro_port_get_cost(void)
{
	return nitro_port_cost_of((void *)dwell_cost_now);
}

void nitro_port_set_cost(struct lines_cost *cost)
{
	/* OS_SwitchProfile takes the counter's address from the buffer of the thread that leaves, which may be dwell_cost_none. */
	dwell_cost_none.tick_at = nitro_port_tick_at();
	dwell_cost_now = cost ? &cost->exit_bar : &dwell_cost_none.exit_bar;
}
