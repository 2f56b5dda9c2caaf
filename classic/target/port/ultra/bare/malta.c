/* SPDX-License-Identifier: MIT
 *
 * QEMU's malta with an R4000: the rate of Count, and a UART. (On a Nintendo 64,
 * Count counts 46,875 times a millisecond, and a development cartridge is the link.) */
#include "classic/target/port/ultra/bare/board.h"

#define UART ((volatile uint8_t *)(intptr_t)(int32_t)0xb80003f8)
#define UART_STATE 5
#define UART_HAS_BYTE 1
#define UART_EMPTY 0x20

const uint32_t ultra_board_timer_khz = 100000, ultra_board_counts_per_us = 100;

bool ultra_board_receive(uint8_t *byte)
{
	if (!(UART[UART_STATE] & UART_HAS_BYTE))
		return false;
	*byte = UART[0];
	return true;
}

bool ultra_board_has_room(void)
{
	return UART[UART_STATE] & UART_EMPTY;
}

void ultra_board_send(uint8_t byte)
{
	UART[0] = byte;
}
