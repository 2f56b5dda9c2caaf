/* SPDX-License-Identifier: MIT
 *
 * The simulated machine has no operating system: one thread, one ring; see sim.h.
 */
#ifndef DWELL_PORT_OS_H
#define DWELL_PORT_OS_H

struct dwell_thread *port_thread(void);
void port_thread_begin(struct dwell_thread *thread);
void port_event_refused(struct dwell_thread *thread);

#define PORT_OWN_BLOCK
static inline void port_block_wanted(struct dwell_ring *ring, dwell_pos pos)
{
	(void)ring;
	(void)pos;
}
enum dwell_wait port_block_wait(struct dwell_ring *ring, dwell_pos pos);

#endif
