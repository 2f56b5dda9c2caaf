/* SPDX-License-Identifier: MIT
 *
 * dwell: what a program may say to the recorder in it. No call is needed to be recorded: compile with -finstrument-functions and start
 * the program with `dwell record`. Linked without it, or not recorded, all of these do nothing.
 */
#ifndef DWELL_DWELL_H
#define DWELL_DWELL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Stops recording in this process, on all threads: hooks return at once. Time until dwell_start is outside, not lost, in every report.
 * Calls that are open stay open; those that are left meanwhile end when recording stopped.
 * Errors: none; stopping what is stopped, or not recorded, does nothing.
 * Context: any thread, not in a signal handler; some microseconds. */
__attribute__((visibility("default"))) void dwell_stop(void);

/* Goes on recording after dwell_stop.
 * Context: any thread, not in a signal handler; some microseconds. */
__attribute__((visibility("default"))) void dwell_start(void);

#ifdef __cplusplus
}
#endif

#endif
