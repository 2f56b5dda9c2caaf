/* SPDX-License-Identifier: MIT
 *
 * What the N64's profiler needs of a machine. linux/: a timer of the system, a thread, TCP. bare/: one processor, a timer's interrupt and a
 * UART, in one small file for each board. The build picks counter.h of one of them by include path. */
#ifndef DWELL_PORT_ULTRA_PORT_H
#define DWELL_PORT_ULTRA_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/histogram.h"

struct histogram_server;

/* The face's: what the interrupt counts in, and what the link speaks for. */
extern struct histogram dwell_histogram;
extern struct histogram_server dwell_histogram_server;

/* Sampling interrupts, so many microseconds apart on average; none follows another one sooner than PROF_MIN_INTERVAL. Returns what the
 * average is, in microseconds; 0: that cannot be. The interrupt calls dwell_histogram_sample(&dwell_histogram, pc). */
uint32_t ultra_port_start(uint32_t microseconds, bool fixed);

/* No more of them: behind it none is in progress either. */
void ultra_port_stop(void);

/* The counters are ready: the link is served from here on. Called by each osProfileInit(). */
void ultra_port_serve(void);

/* Moves bytes between the link and the server where no thread does. Never waits. */
void ultra_port_poll(void);

/* Between them nobody serves the link. */
void ultra_port_lock(void);
void ultra_port_unlock(void);

/* The file that a text is of: its name's bytes, room at most, 0 when nobody knows. */
size_t ultra_port_name(uintptr_t text, char *name, size_t room);

/* Copies memory of the program; false: it is not there any more. Called between lock and unlock. */
bool ultra_port_read(uintptr_t from, uint8_t *to, uint32_t bytes);

/* Lets pass a moment, in which the link is served; and what time it is, in microseconds. */
void ultra_port_wait(void);
uint64_t ultra_port_us(void);

/* Text for people. */
void ultra_port_put(const char *text, uint32_t length);

#endif
