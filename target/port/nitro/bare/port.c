/* SPDX-License-Identifier: MIT
 *
 * ARMv5TE with a kernel of the user's, or none. */
#include "port/nitro/port.h"

#include "nitro.h"
#include "port/nitro/bare/board.h"

uint32_t nitro_port_line_tick(struct lines_cost *cost)
{
	(void)cost; /* who switches threads tells what one was away */
	return OS_GetTickLo();
}

uintptr_t nitro_port_tick_at(void)
{
	return (uintptr_t)nitro_board_tick_at();
}

void nitro_port_init_tick(void)
{
	nitro_board_init_tick();
}

/* The high half counts how often the low one was seen to begin again: look more often than that happens. */
uint64_t nitro_port_tick(void)
{
	static uint32_t last, high;
	uintptr_t before = nitro_port_mask();
	uint32_t low = nitro_board_tick();
	uint64_t tick;

	high += low < last;
	last = low;
	tick = (uint64_t)high << 32 | low;
	nitro_port_unmask(before);
	return tick;
}

uint32_t nitro_port_tick_hz(void)
{
	return nitro_board_tick_hz();
}

void nitro_port_put(const char *text, uint32_t length)
{
	while (length--)
		nitro_board_put(*text++);
}
