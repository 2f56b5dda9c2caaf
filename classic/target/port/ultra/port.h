/* SPDX-License-Identifier: MIT
 *
 * The interface between the N64's profiler and a machine. linux/: a system timer, a thread, TCP. bare/: one processor, a
 * timer interrupt and a UART, with one small file for each board. The build selects counter.h of one of them by include path. */
#ifndef DWELL_CLASSIC_PORT_ULTRA_PORT_H
#define DWELL_CLASSIC_PORT_ULTRA_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "classic/core/histogram.h"

struct histogram_server;

/* Defined by the face: the histogram in which the interrupt counts, and the server that the link carries. */
extern struct histogram dwell_histogram;
extern struct histogram_server dwell_histogram_server;

/* Starts sampling interrupts with this average period; no period is shorter than PROF_MIN_INTERVAL. Returns the
 * actual average in microseconds; 0: impossible. The interrupt calls dwell_histogram_sample(&dwell_histogram, pc). */
uint32_t ultra_port_start(uint32_t microseconds, bool fixed);

/* Stops the interrupts. After it returns no interrupt is in progress. */
void ultra_port_stop(void);

/* Starts serving the link, because the counters are ready. Each osProfileInit() calls it. */
void ultra_port_serve(void);

/* Moves bytes between the link and the server, on ports without a thread. Never waits. */
void ultra_port_poll(void);

/* Between them no other code serves the link. */
void ultra_port_lock(void);
void ultra_port_unlock(void);

/* Writes the name of the file that contains a text, room bytes at most. Returns its bytes, 0 if unknown. */
size_t ultra_port_name(uintptr_t text, char *name, size_t room);

/* Copies memory of the program; false: the memory does not exist any more. Called between lock and unlock. */
bool ultra_port_read(uintptr_t from, uint8_t *to, uint32_t bytes);

/* ultra_port_wait lets a moment pass, in which the link is served; ultra_port_us returns the time in microseconds. */
void ultra_port_wait(void);
uint64_t ultra_port_us(void);

/* Prints a message. */
void ultra_port_put(const char *text, uint32_t length);

#endif
