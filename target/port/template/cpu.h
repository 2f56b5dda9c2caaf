/* SPDX-License-Identifier: MIT
 *
 * A port to copy: a microcontroller with one core, a 32-bit counter and no operating system. Copy this folder to port/cpu/YOURS (or
 * keep it beside your program), go through the FIXMEs in their order, and put the folder on the include path in place of this one.
 * port/port.h specifies each part. The template compiles as it is: `make check` compiles it for several processors.
 */
#ifndef DWELL_PORT_CPU_H
#define DWELL_PORT_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* FIXME 1: the counter. It counts up through all 32 bits and starts at 0. On a Cortex-M3 or larger, use the cycle counter:
 *     return *(volatile uint32_t *)0xe0001004;        (enabled by DEMCR bit 24 and DWT_CTRL bit 0)
 * Subtract a counter that counts down from its start value. For one of 16 or 24 bits, first count the overflows. */
uint32_t board_counter(void);

/* FIXME 2: the counter's rate in Hz, for the trace's header, if you write one; 0: only the host can measure it. */
#define PORT_CLOCK_HZ 0
#define PORT_CLOCK_BITS 32 /* of the counter; port_now() is 64 bits wide all the same */
#define PORT_CLOCK_FLAGS 0

/* FIXME 3: does code lie in the first 4096 bytes of the address space? Many flashes begin at 0. If not, remove this line: an event
 * is then three instructions cheaper. */
#define PORT_CODE_AT_ZERO

/* FIXME 4: a compare-and-exchange that interrupts cannot divide. ARMv7-M and larger, RISC-V with A, and x86 have instructions for
 * it; with them the whole body is
 *     return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
 * A Cortex-M0 or an ARMv5 masks interrupts for three instructions, as below. */
uint32_t board_mask_interrupts(void); /* returns the mask from before */
void board_restore_interrupts(uint32_t before);

static inline bool port_compare_exchange(volatile dwell_pos *word, dwell_pos expected, dwell_pos desired)
{
	uint32_t before = board_mask_interrupts();
	bool done = *word == expected;

	if (done)
		*word = desired;
	board_restore_interrupts(before);
	return done;
}

/* FIXME 5: how an interrupt's first function differs from a called function. On Cortex-M the return address of an exception is one
 * of 0xffffffe1 … 0xfffffffd. If your machine has no such sign, remove this. */
#define PORT_OWN_INTERRUPT
static inline bool port_site_is_interrupt(uintptr_t site)
{
	return site >= (uintptr_t)0xffffffe0u;
}

#include "port/widen.h"

/* Read the clock at least once every half turn of the counter: let a slow timer call port_now(). */
extern volatile dwell_pos port_half_turns;
static inline uint64_t port_now(void)
{
	return port_widen32(&port_half_turns, board_counter);
}

#endif
