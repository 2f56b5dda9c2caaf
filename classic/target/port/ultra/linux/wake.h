/* SPDX-License-Identifier: MIT
 *
 * A flush wakes the thread that serves the link, and the thread wakes the flush: neither waits for the other's next look. */
#ifndef DWELL_CLASSIC_PORT_ULTRA_LINUX_WAKE_H
#define DWELL_CLASSIC_PORT_ULTRA_LINUX_WAKE_H

#include <stdbool.h>

/* Makes the descriptor of this process. */
void ultra_wake_begin(void);

/* Returns the descriptor that is readable while a flush waits (ultra_port_wait); negative: the system gave none. */
int ultra_wake_fd(void);

/* Makes the descriptor unreadable. False: the program has closed the descriptor, and perhaps opened another file by its number. */
bool ultra_wake_heard(int fd);

/* Ends the waiting of a flush. */
void ultra_wake_flush(void);

#endif
