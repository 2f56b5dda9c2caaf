/* clock_point: the clock that programs on this machine are recorded with, against the system's. */
#ifndef DWELL_HOST_RECORD_SESSION_CLOCK_POINT_H
#define DWELL_HOST_RECORD_SESSION_CLOCK_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"

/* ELF e_machine of this machine, 0 where record cannot read the clock of the agent itself. */
uint32_t clock_point_machine(void);
/* Reads the clocks together. */
struct message_clock clock_point_read(void);
/* In how many ticks the clock steps: 0 where readings show no steps, or these are a few ticks at most. Takes some 100 us. */
uint32_t clock_point_find_step(void);
/* The same as a fact of the recording, with its value in text. False: there is nothing to say. */
#define CLOCK_STEP_TEXT 32
bool clock_point_tell_step(struct message_info *fact, char text[CLOCK_STEP_TEXT]);
/* The same of readings, each so many ticks behind the one before; puts them in order. */
uint32_t clock_point_step_of(uint32_t *distances, size_t count);

#endif
