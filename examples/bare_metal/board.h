/* What the example needs from its board. board_sim.c is one for the desk. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

void board_begin(void);
/* To the console. */
void board_put(char character);
/* Does nothing useful for so many ticks of the clock. */
void board_spend(uint32_t ticks);

#endif
