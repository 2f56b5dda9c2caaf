/* SPDX-License-Identifier: MIT
 *
 * Prints to the board's console, for programs whose SDK has no OS_Printf. */
#include "classic/target/port/nitro/bare/board.h"
#include "classic/target/port/nitro/port.h"

void nitro_port_put(const char *text, uint32_t length)
{
	while (length--)
		nitro_board_put(*text++);
}
