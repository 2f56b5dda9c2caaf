/* SPDX-License-Identifier: MIT
 *
 * The interface of a board: a timer whose interrupt samples, a counter, a UART. One small file for each board is linked with the
 * library: malta.c, mps2.c, virt.c. The interrupt's code depends on the processor, and is in the board's file or in assembly. */
#ifndef DWELL_CLASSIC_PORT_ULTRA_BARE_BOARD_H
#define DWELL_CLASSIC_PORT_ULTRA_BARE_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "classic/target/recorder/histogram/jitter.h"

/* The sampling timer's rate in thousands of counts per second, and its longest period in counts. */
extern const uint32_t ultra_board_timer_khz, ultra_board_timer_most;

/* The lengths of periods, in counts; the interrupt takes the next one from here. */
extern struct histogram_jitter ultra_board_jitter;

/* Starts interrupts: the first one after that many counts, the others with the periods of ultra_board_jitter. Of the
 * machine's interrupt settings only the enabling of this one changes. */
void ultra_board_start(uint32_t counts);
/* Stops interrupts. Returns the counts that were left until the next one; 0: the next one was due. */
uint32_t ultra_board_stop(void);

/* Returns a counter that counts up through 32 bits; and its counts per microsecond. */
uint32_t ultra_board_count(void);
extern const uint32_t ultra_board_counts_per_us;

/* The UART: these functions never wait. */
bool ultra_board_receive(uint8_t *byte); /* false: no byte has come */
bool ultra_board_has_room(void);         /* for a byte */
void ultra_board_send(uint8_t byte);     /* pre: there is room */

#endif
