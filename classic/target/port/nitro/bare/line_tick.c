/* SPDX-License-Identifier: MIT
 *
 * ARMv5TE with the user's kernel, or none: the tick of a line is that of OS_GetTickLo, the SDK's or dwell's. */
#include "classic/target/port/nitro/port.h"

#include "nitro.h"
#include "classic/target/port/nitro/bare/board.h"

/* With an SDK there may be no board, or one only for its console. */
#pragma weak nitro_board_tick
#pragma weak nitro_board_tick_at
#pragma weak nitro_board_tick_hz

lines_word nitro_port_line_tick(struct lines_cost *cost)
{
	(void)cost; /* the switch of threads adds the time away */
	return OS_GetTickLo();
}

/* The board describes its own counter, so the description is valid only if OS_GetTickLo reads the same counter. */
static bool tick_is_of_board(void)
{
	uint32_t before, tick;

	if (!nitro_board_tick)
		return true; /* a board without a tick describes the counter of OS_GetTickLo */
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
