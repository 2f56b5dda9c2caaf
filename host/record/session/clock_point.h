/* clock_point: the clock that programs on this machine are recorded with, against the system's. */
#ifndef DWELL_HOST_RECORD_SESSION_CLOCK_POINT_H
#define DWELL_HOST_RECORD_SESSION_CLOCK_POINT_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"

/* ELF e_machine of this machine, 0 where record cannot read the clock of the agent itself. */
uint32_t clock_point_machine(void);
/* Reads the clocks together. */
struct message_clock clock_point_read(void);

#endif
