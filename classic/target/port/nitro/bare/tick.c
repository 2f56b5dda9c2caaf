/* SPDX-License-Identifier: MIT
 *
 * The board's counter as tick, for programs whose SDK has none. */
#include "classic/target/port/nitro/bare/board.h"
#include "classic/target/port/nitro/port.h"

void nitro_port_init_tick(void)
{
	nitro_board_init_tick();
}

/* The high half counts the rounds of the low half, so the program must call this at least once in each round. */
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
