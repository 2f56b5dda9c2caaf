/* SPDX-License-Identifier: MIT
 *
 * dwell/dwell.h: what a program can tell the recorder. Library: libdwell (pkg-config dwell). doc/compiling.md says how to link it.
 *
 * You need none of these calls to be recorded. Build as doc/compiling.md says, and run `dwell record ./app`.
 *
 * Errors: no function here fails. If nobody records, all of them do nothing.
 *
 * A program that must also link without libdwell declares what it uses as weak, and asks whether it is there:
 *     #pragma weak dwell_mark
 *     if (dwell_mark)
 *             dwell_mark("loaded");
 */
#ifndef DWELL_DWELL_H
#define DWELL_DWELL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Stops recording in this process, on all threads. Reports show the time until dwell_start() as "outside", not as lost. A call that
 * is open stays open. If it returns before dwell_start(), it ends at the moment when recording stopped. A second stop does nothing.
 * Context: any thread; not in a signal handler. Cost: a few microseconds. */
__attribute__((visibility("default"))) void dwell_stop(void);

/* Continues recording after dwell_stop(). A second start does nothing.
 * Context: any thread; not in a signal handler. Cost: a few microseconds. */
__attribute__((visibility("default"))) void dwell_start(void);

/* Puts a mark between this thread's calls, at this moment. `dwell calls` shows it as "mark: TEXT", and `dwell report` counts it.
 * text: zero-terminated; null or "": a mark without a text. dwell copies the first 127 bytes. A process has room for about 1000
 * different texts; further ones become marks without a text.
 * Does nothing while recording is stopped.
 * Context: any thread, any signal handler. Cost: about 50 ns; a few microseconds the first time that a text is used. */
__attribute__((visibility("default"))) void dwell_mark(const char *text);

/* Ring and linear recordings: saves what the rings of all threads hold. `dwell record` writes it to a new file beside the
 * recording's FILE (FILE.1, FILE.2 …) within about 20 ms, while the program goes on. Calls that the program makes until then are in
 * the file, too; in a ring they replace the oldest ones. Requests that come at the same time share one file.
 * Does nothing in a stream recording, whose file holds everything already.
 * Context: any thread, any signal handler. Cost: a few nanoseconds; it returns at once. */
__attribute__((visibility("default"))) void dwell_snapshot(void);

/* Coroutines: says that this thread now switches to another stack. Call it directly before each switch.
 * id: any value that tells the stacks of the process apart, for example the coroutine's address. null: the thread's own stack.
 * Each stack has its own open calls. While another stack runs, their time goes on, but it is nobody's self time.
 * A thread need not call this: dwell tells its stacks apart by the stack pointer. That is right for stacks of makecontext, and for
 * stacks that lie far apart. After a thread's first call dwell relies on this function alone, so call it for every switch.
 * Context: the thread that switches. Cost: about 100 ns, at the thread's next recorded call. */
__attribute__((visibility("default"))) void dwell_stack_switch(const void *id);

/* Coroutines: says that the coroutine on this stack has ended. Its open calls end at this moment. Call it before you use id again.
 * Without it they stay open to the end of the recording, and the next coroutine with this id appears below them.
 * id: as in dwell_stack_switch().
 * Context: any thread, on this stack or on another one. */
__attribute__((visibility("default"))) void dwell_stack_end(const void *id);

#ifdef __cplusplus
}
#endif

#endif
