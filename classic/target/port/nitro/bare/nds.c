/* SPDX-License-Identifier: MIT
 *
 * The Nintendo DS's ARM9: timer 0 at a 64th of the bus clock, timer 1
 * counts its overflows. The console is memory, which a debugger reads. */
#include "classic/target/port/nitro/bare/board.h"

#define TIMER_COUNT(n) (*(volatile uint16_t *)(0x04000100 + 4 * (n)))
#define TIMER_CONTROL(n) (*(volatile uint16_t *)(0x04000102 + 4 * (n)))
#define TIMER_ON 0x80
#define TIMER_CASCADE 0x04
#define TIMER_BY_64 0x01

#define CONSOLE_BYTES 0x4000u

struct nitro_console {
	volatile uint32_t put; /* characters so far; the next one goes to text[put % CONSOLE_BYTES] */
	volatile char text[CONSOLE_BYTES];
} nitro_console;

void nitro_board_init_tick(void)
{
	TIMER_CONTROL(0) = TIMER_CONTROL(1) = 0;
	TIMER_COUNT(0) = TIMER_COUNT(1) = 0;
	TIMER_CONTROL(1) = TIMER_ON | TIMER_CASCADE;
	TIMER_CONTROL(0) = TIMER_ON | TIMER_BY_64;
}

/* If the low half did not wrap between its two reads, the high half read between them belongs to both. */
uint32_t nitro_board_tick(void)
{
	uint32_t low, high, later;

	do {
		low = TIMER_COUNT(0);
		high = TIMER_COUNT(1);
		later = TIMER_COUNT(0);
	} while (later < low);
	return high << 16 | later;
}

/* Linked with the function cost that reads both halves by itself: nds.FUNCTIONCOST.o (cpu/armv5te/cost.S). */
extern const char dwell_cost_halves __attribute__((weak));

const volatile uint32_t *nitro_board_tick_at(void)
{
	return &dwell_cost_halves ? (const volatile uint32_t *)&TIMER_COUNT(0) : 0;
}

uint32_t nitro_board_tick_hz(void)
{
	return 33513982 / 64;
}

void nitro_board_put(char character)
{
	nitro_console.text[nitro_console.put % CONSOLE_BYTES] = character;
	nitro_console.put++;
}
