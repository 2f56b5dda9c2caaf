/* SPDX-License-Identifier: MIT
 *
 * Part of the port to copy, see cpu.h. Without an operating system there is one thread: main and the interrupts on top of it.
 */
#ifndef DWELL_PORT_OS_H
#define DWELL_PORT_OS_H

/* FIXME 6: with an operating system: return the state of the running task, for instance through a word of its control block, or a
 * pointer that the task-switch hook sets. */
extern struct dwell_thread port_the_thread;
static inline struct dwell_thread *port_thread(void)
{
	return &port_the_thread;
}

void port_thread_begin(struct dwell_thread *thread);
void port_event_refused(struct dwell_thread *thread);

#endif
