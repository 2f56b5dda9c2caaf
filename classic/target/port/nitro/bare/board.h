/* SPDX-License-Identifier: MIT
 *
 * The interface of a board: one small file that is linked with the libraries for ARMv5TE, such as versatilepb.c
 * and nds.c. A program with the OS_InitTick, OS_GetTick and OS_Printf of an SDK in front of the libraries needs
 * no board. If it defines nitro_board_tick_at and nitro_board_tick_hz nevertheless, they describe the SDK's
 * tick. If it defines nitro_board_tick, too, and OS_GetTickLo is another clock, dwell uses none of the three. */
#ifndef DWELL_CLASSIC_PORT_NITRO_BARE_BOARD_H
#define DWELL_CLASSIC_PORT_NITRO_BARE_BOARD_H

#include <stdint.h>

/* Starts the counter. */
void nitro_board_init_tick(void);

/* Returns the counter: it counts up, through all 32 bits. */
uint32_t nitro_board_tick(void);

/* Returns the address of a 32-bit register that counts up; or, with the function cost for two
 * halves linked in front of the library (nds.c), the address of the lower half, with the upper
 * half 4 bytes behind it. Null: no such register; a line then costs many more instructions. */
const volatile uint32_t *nitro_board_tick_at(void);

/* Returns the counts per second. */
uint32_t nitro_board_tick_hz(void);

/* Writes a character to the console. */
void nitro_board_put(char character);

#endif
