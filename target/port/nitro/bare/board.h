/* SPDX-License-Identifier: MIT
 *
 * What a board gives, in one small file that is linked with the libraries for ARMv5TE: versatilepb.c and nds.c are two. Who links
 * the OS_InitTick, OS_GetTick and OS_Printf of an SDK in front of the libraries needs none of it. nitro_board_tick_at and
 * nitro_board_tick_hz, if they are there all the same, are of that SDK's tick then: where there is a nitro_board_tick as well, and
 * OS_GetTickLo is another clock, the three are not used. */
#ifndef DWELL_PORT_NITRO_BARE_BOARD_H
#define DWELL_PORT_NITRO_BARE_BOARD_H

#include <stdint.h>

/* Starts the counter. */
void nitro_board_init_tick(void);

/* The counter: it counts up, through all 32 bits. */
uint32_t nitro_board_tick(void);

/* Its register, if it is one of 32 bits that counts up; or, with function cost for two halves linked in front of the library
 * (nds.c), that of the lower half, the upper one being 4 bytes behind. Else null: then a line costs many more instructions. */
const volatile uint32_t *nitro_board_tick_at(void);

/* How often it counts in a second. */
uint32_t nitro_board_tick_hz(void);

/* A character of the console. */
void nitro_board_put(char character);

#endif
