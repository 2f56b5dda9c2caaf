/* SPDX-License-Identifier: MIT
 *
 * Cortex-M: SysTick is the sampling timer. */
#include "classic/target/port/ultra/bare/board.h"
#include "classic/target/port/ultra/port.h"
#include "classic/target/recorder/histogram/histogram.h"
#include "ultra64.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYSTICK_CONTROL REGISTER(0xe000e010)
#define SYSTICK_RELOAD REGISTER(0xe000e014)
#define SYSTICK_VALUE REGISTER(0xe000e018)
#define SYSTICK_ON 7u  /* the processor's clock, interrupts */
#define SYSTICK_OFF 4u /* still the processor's clock: the value is in its counts */
#define INTERRUPT_STATE REGISTER(0xe000ed04)
#define FORGET_SYSTICK (1u << 25) /* drops a pending interrupt */

const uint32_t ultra_board_timer_most = 0xffffff;

/* frame: the registers that the processor pushed. The reload value takes effect after the period that has already begun. */
__attribute__((used)) static void sample(const uint32_t *frame)
{
	dwell_histogram_sample(&dwell_histogram, frame[6]);
	SYSTICK_RELOAD = dwell_histogram_period(&ultra_board_jitter);
}

__attribute__((naked)) void osProfileInterrupt(void)
{
	__asm__("tst lr, #4\n\tite eq\n\tmrseq r0, msp\n\tmrsne r0, psp\n\tb %c0" : : "i"(sample));
}

/* A reload value of 0 would stop the counter; and one of 1 may be gone before it is replaced. */
#define SHORTEST 16u

/* The counter takes the reload value with its first count, and only then the register has the value of the second period. */
void ultra_board_start(uint32_t counts)
{
	ultra_board_jitter.base--; /* a period is the reload value plus one */
	SYSTICK_RELOAD = counts > SHORTEST ? counts - 1 : SHORTEST;
	SYSTICK_VALUE = 0;
	SYSTICK_CONTROL = SYSTICK_ON;
	while (!SYSTICK_VALUE)
		;
	SYSTICK_RELOAD = dwell_histogram_period(&ultra_board_jitter);
}

uint32_t ultra_board_stop(void)
{
	uint32_t left;

	SYSTICK_CONTROL = SYSTICK_OFF;
	left = SYSTICK_VALUE;
	INTERRUPT_STATE = FORGET_SYSTICK;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
	return left;
}
