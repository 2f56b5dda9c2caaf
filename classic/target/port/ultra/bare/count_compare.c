/* SPDX-License-Identifier: MIT
 *
 * MIPS III: Count and Compare are the sampling timer; mips.S has the interrupt. */
#include "classic/target/port/ultra/bare/board.h"
#include "classic/target/port/ultra/port.h"

#define TIMER_INTERRUPT 0x8000u /* in Status */
/* Bytes of one round of the search in mips.S. */
#define ROUND_BYTES 16

const uint32_t ultra_board_timer_most = 0x7fffffff;

/* mips.S: the address where its search begins, and its end. */
extern uintptr_t ultra_mips_search;
extern const char ultra_mips_searched[];

static uint32_t status(void)
{
	uint32_t value;

	__asm__ volatile("mfc0 %0, $12" : "=r"(value));
	return value;
}

static void set_status(uint32_t value)
{
	__asm__ volatile("mtc0 %0, $12\n\tnop\n\tnop\n\tnop\n\tnop" : : "r"(value) : "memory");
}

uint32_t ultra_board_count(void)
{
	uint32_t value;

	__asm__ volatile("mfc0 %0, $9\n\tnop" : "=r"(value));
	return value;
}

void ultra_board_start(uint32_t counts)
{
	uint32_t rounds = 0;

	for (uintptr_t step = dwell_histogram.step; step; step >>= 1)
		rounds++;
	ultra_mips_search = (uintptr_t)ultra_mips_searched - ROUND_BYTES * rounds;
	__asm__ volatile("mtc0 %0, $11" : : "r"(ultra_board_count() + counts) : "memory");
	set_status(status() | TIMER_INTERRUPT);
}

uint32_t ultra_board_stop(void)
{
	uint32_t left;

	set_status(status() & ~TIMER_INTERRUPT);
	__asm__ volatile("mfc0 %0, $11\n\tnop" : "=r"(left));
	left -= ultra_board_count();
	return left <= ultra_board_timer_most ? left : 0;
}
