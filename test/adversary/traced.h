/* traced: what cannot be interrupted by a breakpoint in the same process, so that a process that traces it does: a thread's set-up,
 * where signals are blocked, and the end of a process. */
#ifndef DWELL_TEST_ADVERSARY_TRACED_H
#define DWELL_TEST_ADVERSARY_TRACED_H

#include <stdbool.h>
#include <stdint.h>

/* What the others say where a process may not trace its child. */
extern const char traced_refused[];

/* Null: all is as it must be, else why not. *hit: the instruction was executed. */

/* A thread's first event, with a handler before the instruction. */
const char *traced_begin(uint8_t *at, bool *hit);
/* A message to record, and the process is killed before the instruction: what others tell afterwards must not be held up. */
const char *traced_message(uint8_t *at, bool *hit);

#endif
