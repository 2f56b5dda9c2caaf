/* SPDX-License-Identifier: MIT
 *
 * ARM's MPS2 board with a Cortex-M, as QEMU emulates it: its clock rate, a UART, a counter. */
#include "classic/target/port/ultra/bare/board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define COUNTER REGISTER(0x40028018)
#define UART_DATA REGISTER(0x40004000)
#define UART_STATE REGISTER(0x40004004)
#define UART_CONTROL REGISTER(0x40004008)
#define UART_DIVIDER REGISTER(0x40004010)
#define UART_FULL 1u
#define UART_HAS_BYTE 2u
#define UART_ON 3u

const uint32_t ultra_board_timer_khz = 25000, ultra_board_counts_per_us = 25;

uint32_t ultra_board_count(void)
{
	return COUNTER;
}

static void turn_on(void)
{
	if (UART_CONTROL != UART_ON) {
		UART_DIVIDER = 16;
		UART_CONTROL = UART_ON;
	}
}

bool ultra_board_receive(uint8_t *byte)
{
	turn_on();
	if (!(UART_STATE & UART_HAS_BYTE))
		return false;
	*byte = (uint8_t)UART_DATA;
	return true;
}

bool ultra_board_has_room(void)
{
	turn_on();
	return !(UART_STATE & UART_FULL);
}

void ultra_board_send(uint8_t byte)
{
	UART_DATA = byte;
}
