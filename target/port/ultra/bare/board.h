/* SPDX-License-Identifier: MIT
 *
 * What a board gives: a timer whose interrupt samples, a counter, a UART. One small file each, which is linked with the library:
 * malta.c, mps2.c, virt.c. What the interrupt does belongs to the processor, and is in the board's file, too, or in assembly. */
#ifndef DWELL_PORT_ULTRA_BARE_BOARD_H
#define DWELL_PORT_ULTRA_BARE_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/histogram/jitter.h"

/* The sampling timer counts so many thousand times a second, and a period of it may be so long. */
extern const uint32_t ultra_board_timer_khz, ultra_board_timer_most;

/* How long periods are, in counts; the interrupt asks for the next one. */
extern struct histogram_jitter ultra_board_jitter;

/* Interrupts come, with the periods of ultra_board_jitter; or no more. Nothing else of the machine's interrupts is touched, but that this
 * one is enabled. */
void ultra_board_start(void);
void ultra_board_stop(void);

/* A counter that counts up through 32 bits, and how often a microsecond has passed then. */
uint32_t ultra_board_count(void);
extern const uint32_t ultra_board_counts_per_us;

/* The UART: never wait. */
bool ultra_board_receive(uint8_t *byte); /* false: none has come */
bool ultra_board_has_room(void);         /* for a byte */
void ultra_board_send(uint8_t byte);     /* pre: there is room */

#endif
