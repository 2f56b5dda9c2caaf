/* SPDX-License-Identifier: MIT
 *
 * RISC-V in machine mode: mtimecmp is the sampling timer (riscv.S has the
 * interrupt's first and last instructions); and the UART of QEMU's virt. */
#include "classic/target/port/ultra/bare/board.h"
#include "classic/target/port/ultra/port.h"
#include "classic/target/recorder/histogram/histogram.h"
#include "ultra64.h"

#define WORD(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define BYTE(address) (*(volatile uint8_t *)(uintptr_t)(address))
#define COMPARE_LOW WORD(0x2004000)
#define COMPARE_HIGH WORD(0x2004004)
#define TIME_LOW WORD(0x200bff8)
#define TIME_HIGH WORD(0x200bffc)
#define UART 0x10000000
#define UART_STATE BYTE(UART + 5)
#define UART_HAS_BYTE 1
#define UART_EMPTY 0x20
#define TIMER_INTERRUPT 0x80 /* in mie */

const uint32_t ultra_board_timer_khz = 10000, ultra_board_timer_most = 0xffffffff, ultra_board_counts_per_us = 10;

static uint64_t due; /* the time of the next interrupt */

static uint64_t now(void)
{
	uint32_t high, low;

	do {
		high = TIME_HIGH;
		low = TIME_LOW;
	} while (high != TIME_HIGH);
	return (uint64_t)high << 32 | low;
}

/* Writes the halves so that no intermediate value is in the past. A time in the past interrupts at once. */
static void wait_until(uint64_t time)
{
	due = time;
	COMPARE_HIGH = 0xffffffff;
	COMPARE_LOW = (uint32_t)time;
	COMPARE_HIGH = (uint32_t)(time >> 32);
}

/* riscv.S calls it. */
void ultra_riscv_sample(uintptr_t pc);

void ultra_riscv_sample(uintptr_t pc)
{
	dwell_histogram_sample(&dwell_histogram, pc);
	wait_until(dwell_histogram_due(due, dwell_histogram_period(&ultra_board_jitter), now()));
}

void ultra_board_start(uint32_t counts)
{
	wait_until(now() + counts);
	__asm__ volatile("csrs mie, %0" : : "r"(TIMER_INTERRUPT) : "memory");
}

uint32_t ultra_board_stop(void)
{
	uint64_t at;

	__asm__ volatile("csrc mie, %0" : : "r"(TIMER_INTERRUPT) : "memory");
	at = now();
	return due > at ? (uint32_t)(due - at) : 0;
}

uint32_t ultra_board_count(void)
{
	return TIME_LOW;
}

bool ultra_board_receive(uint8_t *byte)
{
	if (!(UART_STATE & UART_HAS_BYTE))
		return false;
	*byte = BYTE(UART);
	return true;
}

bool ultra_board_has_room(void)
{
	return UART_STATE & UART_EMPTY;
}

void ultra_board_send(uint8_t byte)
{
	BYTE(UART) = byte;
}
