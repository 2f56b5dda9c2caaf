/* SPDX-License-Identifier: MIT
 *
 * ARM Versatile PB, as QEMU emulates it: a counter of 24 MHz, a PL011 as console. */
#include "classic/target/port/nitro/bare/board.h"

#define COUNTER ((const volatile uint32_t *)0x1000005c)
#define UART ((volatile uint32_t *)0x101f1000)
#define UART_FLAGS 6
#define UART_FULL 0x20

void nitro_board_init_tick(void)
{
}

uint32_t nitro_board_tick(void)
{
	return *COUNTER;
}

const volatile uint32_t *nitro_board_tick_at(void)
{
	return COUNTER;
}

uint32_t nitro_board_tick_hz(void)
{
	return 24000000;
}

void nitro_board_put(char character)
{
	while (UART[UART_FLAGS] & UART_FULL)
		;
	UART[0] = (unsigned char)character;
}
