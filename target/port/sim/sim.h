/* SPDX-License-Identifier: MIT
 *
 * The simulated machine: one core and one thread, whose clock and interrupts are what a test says. Also the smallest example of a port.
 *
 *     sim_begin(ring);
 *     sim.now = …;                      the clock, in ticks
 *     sim.interrupt = handler;          called before the operation number sim.interrupt_at, counted from sim.operations = 0
 *
 * Operations are what the port does: before and behind a reading of the clock and a compare-and-exchange, and behind each store of a push.
 */
#ifndef DWELL_PORT_SIM_H
#define DWELL_PORT_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "port/port.h"

/* An enter with this call site comes from an interrupt. */
#define SIM_INTERRUPT_SITE UINT32_C(0xfffffff9)

struct sim {
	uint64_t now;          /* what the clock shows */
	uint64_t step;         /* it goes on by so much each time that it is read */
	bool narrow;           /* the clock is a counter of 32 bits, widened by the port */
	bool cannot_mask;      /* interrupts can come while a thread begins */
	struct dwell_ring *ring; /* for the thread; null: it gets none */
	uint64_t operations;   /* so far */
	uint64_t interrupt_at; /* UINT64_MAX: never */
	void (*interrupt)(void *context);
	void *context;
	uint64_t refused_setup, refused_events;
	enum dwell_wait (*wait)(void); /* a block is full; null: nobody waits */
};
extern struct sim sim;

/* A machine that was just switched on: nothing recorded, clock at 0, a tick for each reading, no interrupt. */
void sim_begin(struct dwell_ring *ring);

/* An operation is about to be done. */
void sim_operation(void);
/* The counter behind the clock. */
uint32_t sim_counter(void);

#endif
