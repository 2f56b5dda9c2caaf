/* The board on the desk: dwell's simulated machine, whose clock counts what board_spend() says and one tick for each event. So the
 * table is the same every time. */
#include "board.h"

#include <stdio.h>

#include "port/sim/sim.h"
#include "recorder/trace.h"

#define RING_HEADER_BYTES 512

static _Alignas(8) unsigned char memory[RING_HEADER_BYTES + 8192];

void board_begin(void)
{
	sim_begin(dwell_ring_begin(memory, RING_HEADER_BYTES, sizeof memory, DWELL_MODE_STREAM, true));
}

void board_put(char character)
{
	putchar(character);
}

void board_spend(uint32_t ticks)
{
	sim.now += ticks;
}
