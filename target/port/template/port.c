/* SPDX-License-Identifier: MIT
 *
 * Part of the port to copy, see cpu.h: the memory for the ring.
 */
#include "recorder/trace.h"

/* FIXME 7: how much memory, and the mode when it is full: the program drains a stream (examples/bare_metal), a ring keeps the last
 * events until a debugger reads them, linear keeps the first. Memory in .bss is zero at the start. */
#define RING_HEADER_BYTES 512
#define RING_BYTES 8192
#define RING_MODE DWELL_MODE_STREAM

volatile dwell_pos port_half_turns;
struct dwell_thread port_the_thread;

static _Alignas(8) unsigned char memory[RING_HEADER_BYTES + RING_BYTES];

void port_thread_begin(struct dwell_thread *thread)
{
	uint32_t before = board_mask_interrupts();

	if (thread->state == DWELL_THREAD_NEW)
		dwell_thread_begin(thread, dwell_ring_begin(memory, RING_HEADER_BYTES, sizeof memory, RING_MODE, true));
	board_restore_interrupts(before);
}

/* FIXME 8: count the events of threads that got no ring, if there can be any. Here the only thread always gets a ring. */
void port_event_refused(struct dwell_thread *thread)
{
	(void)thread;
}
