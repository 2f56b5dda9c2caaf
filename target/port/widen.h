/* SPDX-License-Identifier: MIT
 *
 * A clock of 64 bits from a counter of 32, without masking interrupts. For cpu.h of a port, behind its port_compare_exchange().
 */
#ifndef DWELL_PORT_WIDEN_H
#define DWELL_PORT_WIDEN_H

#include <stdint.h>

#include "recorder/ring.h"

/* The counter of read counts up, all 32 bits of it. half_turns is a word of the port's, 0 when the counter is started at 0; bit 0 of it is
 * the counter's bit 31 when it was read last.
 * pre: called at least once every 2^31 ticks, so a system tick has to do it where nothing else may.
 * Context: one core, any interrupt; about 12 instructions. */
static inline uint64_t port_widen32(volatile dwell_pos *half_turns, uint32_t (*read)(void))
{
	dwell_pos was = *half_turns; /* first: an interrupt between may make both newer, never one older */
	uint32_t low = read();

	if ((low >> 31) != (was & 1)) {
		port_compare_exchange(half_turns, was, was + 1); /* or an interrupt has done it */
		was++;
	}
	return (uint64_t)(was >> 1) << 32 | low;
}

#endif
