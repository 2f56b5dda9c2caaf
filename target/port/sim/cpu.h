/* SPDX-License-Identifier: MIT
 *
 * The simulated processor; see sim.h. Its claim commits first, as on most machines.
 */
#ifndef DWELL_PORT_CPU_H
#define DWELL_PORT_CPU_H

#include <stdbool.h>
#include <stdint.h>

#define PORT_CLOCK_BITS 64
#define PORT_CLOCK_FLAGS 0
#define PORT_CODE_AT_ZERO
#define PORT_WORK_TICKS 256

uint64_t port_now(void);
bool port_compare_exchange(volatile dwell_pos *word, dwell_pos expected, dwell_pos desired);

#define PORT_OWN_INTERRUPT
bool port_site_is_interrupt(uintptr_t site);

#define PORT_ARGS
#define PORT_OWN_PUSH
static inline bool port_commits_last(void)
{
	return false;
}
bool port_push(struct dwell_ring *ring, dwell_pos expected, const uint64_t *slots, unsigned count);

#endif
