/* clock_point: reads this machine's tick clock, which recorded programs use, together with the system's clocks. */
#ifndef DWELL_HOST_RECORD_SESSION_CLOCK_POINT_H
#define DWELL_HOST_RECORD_SESSION_CLOCK_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"

/* ELF e_machine of this machine; 0: record cannot read the agents' clock here, so agents write the clock points. */
uint32_t clock_point_machine(void);
/* Reads the tick clock, CLOCK_MONOTONIC and CLOCK_REALTIME at one moment. ticks is 0 if clock_point_machine() is 0. */
struct message_clock clock_point_read(void);
/* Measures the clock's step in ticks; 0: no steps, or steps of less than 4 ticks. Takes some 100 us. */
uint32_t clock_point_find_step(void);
/* Measures the step, and makes it a fact of the recording: fact->value points to text. False: no step, so no fact to write. */
#define CLOCK_STEP_TEXT 32
bool clock_point_make_step_fact(struct message_info *fact, char text[CLOCK_STEP_TEXT]);
/* Finds the step, in ticks, in measured distances between readings, in ticks; sorts distances. count: not 0. 0: no step. */
uint32_t clock_point_step_of(uint32_t *distances, size_t count);

#endif
