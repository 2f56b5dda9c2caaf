/* SPDX-License-Identifier: MIT
 *
 * dwell: what a program may say to the recorder in it. No call is needed to be recorded: compile with -finstrument-functions and start
 * the program with `dwell record`. Not recorded, all of these do nothing. A program that shall link without the agent, too, declares
 * what it uses weak (#pragma weak dwell_mark) and asks whether it is there (if (dwell_mark)).
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

/* An event with a text at this point of this thread: in calls a row "mark: TEXT" among the calls, in report their number. The first 127 bytes
 * count, and are copied; a thousand different texts can be told, beyond that marks have none. Null or empty: no text.
 * Errors: none; does nothing when not recorded, or stopped.
 * Context: any thread, any signal handler; some 50 ns, the first time of a text some microseconds. */
__attribute__((visibility("default"))) void dwell_mark(const char *text);

/* In a ring or linear recording: what the rings of all threads hold now goes to a file of its own, FILE.1, FILE.2 and so on beside the
 * recording's FILE, while the program goes on; dwell record writes it, within some 20 ms. Returns at once. Calls that come before it is
 * written are in it, and in a ring the oldest ones not any more. Those that ask at the same time get one file together.
 * Errors: none; does nothing when not recorded, or recorded as a stream, whose file has everything.
 * Context: any thread, any signal handler; some nanoseconds. */
__attribute__((visibility("default"))) void dwell_snapshot(void);

/* Coroutines: from here on this thread runs on the stack that id stands for; null: on its own. To be called right before the switch, each
 * time. id is whatever tells the stacks of the process apart, the coroutine's address for example. Each stack has its own open calls; while
 * another one runs, their time goes on but is nobody's self time.
 * A thread that never calls this has its stacks told apart by the stack pointer, which is right for stacks that makecontext was given or
 * that lie well apart; one that has called it is believed for good, so call it for every switch.
 * Errors: none; does nothing when not recorded.
 * Context: the thread that switches; some 100 ns, at its next call. */
__attribute__((visibility("default"))) void dwell_stack_switch(const void *id);

/* The coroutine on that stack will not go on: calls that are open there end here, before id is used for another one. Without it
 * they stay open to the end of the recording, below the calls of whoever is next on that stack.
 * Context: any thread, from the stack itself or from another one. */
__attribute__((visibility("default"))) void dwell_stack_end(const void *id);

#ifdef __cplusplus
}
#endif

#endif
