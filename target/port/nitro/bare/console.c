/* SPDX-License-Identifier: MIT
 *
 * The board's console, for who has no other. */
#include "port/nitro/bare/board.h"
#include "port/nitro/port.h"

void nitro_port_put(const char *text, uint32_t length)
{
	while (length--)
		nitro_board_put(*text++);
}
