/* The board of a program that moves the clock itself: in place of the emulator's counter is `now`, which move_clock makes greater.
 * It is one register, two halves (HALVES, as the console has it), or behind functions alone (NO_COUNTER). On Linux the library's
 * clock is the system's, and this one takes its place. */
#include <nitro.h>

#ifndef __linux__
#include "classic/target/port/nitro/bare/board.h"
#endif

static volatile uintptr_t now = CLOCK_BEGIN; /* a line has as many bits of it as a pointer */
static volatile u16 halves[] = {(u16)CLOCK_BEGIN, 0xaaaa, CLOCK_BEGIN >> 16, 0xaaaa};

#pragma profile off
static void move_clock(u32 ticks)
{
	now += ticks;
	halves[0] = (u16)now;
	halves[2] = (u16)(now >> 16);
}

#ifdef __linux__
struct lines_cost;
uintptr_t nitro_port_line_tick(struct lines_cost *cost);
uintptr_t nitro_port_tick_at(void);
void nitro_port_init_tick(void);
uint64_t nitro_port_tick(void);
uint32_t nitro_port_tick_hz(void);

uintptr_t nitro_port_line_tick(struct lines_cost *cost)
{
	(void)cost;
	return now;
}

uintptr_t nitro_port_tick_at(void)
{
	return 0;
}

void nitro_port_init_tick(void)
{
}

uint64_t nitro_port_tick(void)
{
	return now;
}

uint32_t nitro_port_tick_hz(void)
{
	return 1000;
}
#else
void nitro_board_init_tick(void)
{
}

uint32_t nitro_board_tick(void)
{
	return now;
}

const volatile uint32_t *nitro_board_tick_at(void)
{
#ifdef NO_COUNTER
	return 0;
#elif defined HALVES
	return (const volatile uint32_t *)halves;
#else
	return (const volatile uint32_t *)&now;
#endif
}

uint32_t nitro_board_tick_hz(void)
{
	return 1000;
}

void nitro_board_put(char character)
{
	*(volatile u32 *)0x101f1000 = (unsigned char)character;
}
#endif
#pragma profile reset
