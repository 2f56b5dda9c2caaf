/* remote_call: functions that are called in a process which runs already, by a thread of its own (ptrace(2)).
 *
 * The call has a stack of its own, so it does not matter on which one the thread is, and how little is left of it. When it has returned the
 * thread waits for its tracer, which gives it back what it had: registers, vector registers, signal mask, and its system call goes on. If
 * there is none any more, it does that itself after a moment, as a signal handler returns. So nothing happens to a process whose tracer is
 * killed in the middle; but a time that it waited for begins again. */
#ifndef DWELL_HOST_RECORD_REMOTE_CALL_H
#define DWELL_HOST_RECORD_REMOTE_CALL_H

#include "record/remote/remote_thread.h"

/* Which threads can be called from. */
enum remote_from {
	/* In a system call that they wait in, or in code of the program or its libraries; not in the loader and not in the memory
	 * allocator, whose locks they could hold. */
	REMOTE_WITHOUT_LOCKS,
	REMOTE_ANYWHERE,
};

/* Calls function (an address in the process) with a pointer to a copy of text (null: none) and a number. While it runs meanwhile is called
 * again and again (null: nothing is), and all other threads go on. */
enum remote_problem remote_call(pid_t pid, enum remote_from from, uint64_t function, const char *text, uint64_t number,
	void (*meanwhile)(void *context), void *context);

#endif
