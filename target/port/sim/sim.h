/* SPDX-License-Identifier: MIT
 *
 * The simulated machine: one core and one thread, with a clock and interrupts that a test controls. Also the
 * smallest example of a port.
 *
 *     sim_begin(ring);
 *     sim.now = …;                      the clock, in ticks
 *     sim.interrupt = handler;          called before the operation number sim.interrupt_at, counted from sim.operations = 0
 *
 * Operations are the points at which the port can be interrupted: before and after each clock reading, each compare-and-exchange
 * and each wait, after each store of a push, and while a thread begins.
 */
#ifndef DWELL_PORT_SIM_H
#define DWELL_PORT_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "port/port.h"

/* An enter with this call site is the first function of an interrupt. */
#define SIM_INTERRUPT_SITE UINT32_C(0xfffffff9)

struct sim {
	uint64_t now;          /* the clock */
	uint64_t step;         /* added to the clock at each reading */
	bool narrow;           /* the port widens a 32-bit counter */
	bool cannot_mask;      /* interrupts can come while a thread begins */
	struct dwell_ring *ring; /* ring for the thread; null: the thread gets none */
	uint64_t operations;   /* number of operations so far */
	uint64_t interrupt_at; /* number of an operation; UINT64_MAX: never */
	void (*interrupt)(void *context);
	void *context;
	uint64_t refused_setup, refused_events;
	enum dwell_wait (*wait)(void); /* called when a block is full; null: no wait, events are lost */
};
extern struct sim sim;

/* Resets the machine: no ring used, clock at 0, one tick for each reading, no interrupt. */
void sim_begin(struct dwell_ring *ring);

/* Counts an operation and runs the interrupt if it is due. */
void sim_operation(void);
/* Reads the 32-bit counter under the clock. */
uint32_t sim_counter(void);

#endif
