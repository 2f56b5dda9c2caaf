/* count: how many instructions the hooks of one call are, by executing them one by one. */
#ifndef DWELL_BENCH_COUNT_H
#define DWELL_BENCH_COUNT_H

/* Prints "enter N", "exit N", the fewest of some calls: those that take no turn off the hot path; "average N", of an event over
 * many blocks of the ring; and "indirect N", how many of these are indirect jumps or calls: each costs 10 ns where they are not
 * predicted. False: this processor cannot, or something was counted that cannot be. */
int count_print(void);

#endif
