/* SPDX-License-Identifier: MIT
 *
 * dwell/dwell.h: the functions by which a program controls its recording. Library: libdwell (pkg-config dwell); doc/compiling.md
 * describes how to link the library.
 *
 * A recording needs none of these calls. Build as doc/compiling.md describes, and run `dwell record ./app`.
 *
 * Errors: no function here fails. If the program is not recorded, all functions do nothing.
 *
 * A program that must also link without libdwell declares the functions as weak, and tests for each before the call:
 *     #pragma weak dwell_mark
 *     if (dwell_mark)
 *             dwell_mark("loaded");
 */
#ifndef DWELL_DWELL_H
#define DWELL_DWELL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Stops recording in this process, on all threads. Reports show the time until dwell_start() as "outside", not as lost. An open
 * call stays open; if the call returns before dwell_start(), the call ends at the moment of the stop. A second stop does nothing.
 * Context: any thread; not in a signal handler. Cost: a few microseconds. */
__attribute__((visibility("default"))) void dwell_stop(void);

/* Continues recording after dwell_stop(). A second start does nothing.
 * Context: any thread; not in a signal handler. Cost: a few microseconds. */
__attribute__((visibility("default"))) void dwell_start(void);

/* Puts a mark between this thread's calls, at this moment. `dwell calls` shows the mark as "mark: TEXT", and `dwell report` counts
 * marks by text.
 * text: zero-terminated; null or "": a mark without a text. dwell copies the first 127 bytes. A process has room for about 1000
 * different texts; marks with further texts are recorded without the text.
 * Does nothing while recording is stopped.
 * Context: any thread, any signal handler. Cost: about 50 ns; a few microseconds the first time that a text is used. */
__attribute__((visibility("default"))) void dwell_mark(const char *text);

/* Ring and linear recordings: requests a snapshot, a file with the contents of all threads' rings. `dwell record` writes the new
 * file beside the recording's FILE (FILE.1, FILE.2 …) within about 20 ms, while the program goes on. The file also has the calls of
 * these 20 ms, which in a ring replace the oldest calls. Requests at the same time share one file.
 * Does nothing in a stream recording, whose file has all calls already.
 * Context: any thread, any signal handler. Cost: a few nanoseconds; returns at once. */
__attribute__((visibility("default"))) void dwell_snapshot(void);

/* Coroutines: reports that this thread switches to another stack. Call the function directly before each switch.
 * id: any value that is unique among the stacks of the process, for example the coroutine's address. null: the thread's own stack.
 * Each stack has its own open calls. While another stack runs, the total time of these calls grows, and their self time does not.
 * Without calls of this function, dwell distinguishes a thread's stacks by the stack pointer. This works for stacks of makecontext,
 * and for stacks that lie far apart. After a thread's first call, dwell relies on this function alone: call it for every switch.
 * Context: the thread that switches. Cost: about 100 ns, at the thread's next recorded call. */
__attribute__((visibility("default"))) void dwell_stack_switch(const void *id);

/* Coroutines: reports that the coroutine on the stack with this id has ended. The coroutine's open calls end at this moment.
 * Call the function before you use id again. Otherwise these calls stay open to the end of the recording, and the next coroutine
 * with this id appears below them.
 * id: as in dwell_stack_switch().
 * Context: any thread, on any stack. */
__attribute__((visibility("default"))) void dwell_stack_end(const void *id);

#ifdef __cplusplus
}
#endif

#endif
