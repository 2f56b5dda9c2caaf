/* begin: a thread's first event, interrupted at one instruction of its set-up. Signals are blocked in most of it, and a breakpoint is a
 * signal, too; so this is done from outside, by a process that traces the other one. */
#ifndef DWELL_TEST_ADVERSARY_BEGIN_H
#define DWELL_TEST_ADVERSARY_BEGIN_H

#include <stdbool.h>
#include <stdint.h>

/* Null: all is as it must be, else why not. *hit: the instruction was executed. */
const char *begin_run(uint8_t *at, bool *hit);

#endif
