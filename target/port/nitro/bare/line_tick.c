/* SPDX-License-Identifier: MIT
 *
 * ARMv5TE with a kernel of the user's, or none: the tick of a line is OS_GetTickLo's, whosever that is. */
#include "port/nitro/port.h"

#include "nitro.h"
#include "port/nitro/bare/board.h"

/* With an SDK there need be no board, or one for its console. */
#pragma weak nitro_board_tick
#pragma weak nitro_board_tick_at
#pragma weak nitro_board_tick_hz

lines_word nitro_port_line_tick(struct lines_cost *cost)
{
	(void)cost; /* who switches threads tells what one was away */
	return OS_GetTickLo();
}

/* What a board says is said of its own counter: it holds when OS_GetTickLo reads that one. */
static bool tick_is_of_board(void)
{
	uint32_t before, tick;

	if (!nitro_board_tick)
		return true; /* who has no tick and still tells of a counter means OS_GetTickLo's */
	before = nitro_board_tick();
	tick = OS_GetTickLo();
	return tick - before <= nitro_board_tick() - before;
}

uintptr_t nitro_port_tick_at(void)
{
	return nitro_board_tick_at && tick_is_of_board() ? (uintptr_t)nitro_board_tick_at() : 0;
}

uint32_t nitro_port_tick_hz(void)
{
	return nitro_board_tick_hz && tick_is_of_board() ? nitro_board_tick_hz() : 0;
}
