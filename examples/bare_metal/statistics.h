/* Where the time went, as a table of functions that the target keeps by itself: for machines that have no room for a trace and no
 * way to send one. Freestanding: 8 KiB of ring, 64 bytes for each function, 40 for each open call.
 *
 * Call statistics_update() often enough that the ring does not fill up (from the idle loop, or a slow timer of lowest priority);
 * what is lost is counted and said. */
#ifndef STATISTICS_H
#define STATISTICS_H

#include <stdint.h>

/* Once, before the first update. */
void statistics_begin(void);

/* Takes what was recorded since into the table.
 * Context: one at a time, never interrupting itself; about 60 instructions an event. */
void statistics_update(void);

/* Ends the open calls, and prints the table by self time, a character at a time. */
void statistics_print(void (*put)(char character));

#endif
