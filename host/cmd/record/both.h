/* both: dwell record --both: records the calls of a program, samples another run of it, and shows both. */
#ifndef DWELL_HOST_CMD_RECORD_BOTH_H
#define DWELL_HOST_CMD_RECORD_BOTH_H

#include "cmd/record/program.h"

/* Returns the exit status of the first run that failed, as record_program does; 0: neither failed. */
int record_both(struct record_program *what, struct diag *diag);

#endif
