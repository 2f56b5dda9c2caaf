/* SPDX-License-Identifier: MIT
 *
 * Makes a 64-bit clock from a 32-bit counter, without masking interrupts. For the cpu.h of a port, which defines
 * port_compare_exchange() before it includes this header.
 */
#ifndef DWELL_PORT_WIDEN_H
#define DWELL_PORT_WIDEN_H

#include <stdint.h>

#include "recorder/ring.h"

/* Returns the 64-bit time. read returns the counter, which counts up through all 32 bits. half_turns is a word that the port owns,
 * 0 when the counter starts at 0. Bit 0 of half_turns is bit 31 of the counter at the last reading.
 * pre: something calls the function at least once every 2^31 ticks: a system tick, if nothing else does.
 * Context: one core, any interrupt; about 12 instructions. */
static inline uint64_t port_widen32(volatile dwell_pos *half_turns, uint32_t (*read)(void))
{
	dwell_pos was = *half_turns; /* first: an interrupt in between may make both newer, never one older */
	uint32_t low = read();

	if ((low >> 31) != (was & 1)) {
		port_compare_exchange(half_turns, was, was + 1); /* unless an interrupt has done so */
		was++;
	}
	return (uint64_t)(was >> 1) << 32 | low;
}

#endif
