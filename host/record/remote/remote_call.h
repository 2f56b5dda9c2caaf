/* remote_call: calls a function of a running process, in a thread of the process (ptrace(2)), to load the agent or make the agent
 * act.
 *
 * The call has a stack of its own, so the thread may be on any stack, however full. After the call, the thread waits
 * for dwell, the tracer, which restores the registers, vector registers and signal mask. Then the thread's own system
 * call goes on. If the tracer has ended, the thread restores itself after a moment, as a signal handler returns. So a
 * process survives if dwell is killed in the middle of a call; but a timed wait of the thread then starts again. */
#ifndef DWELL_HOST_RECORD_REMOTE_CALL_H
#define DWELL_HOST_RECORD_REMOTE_CALL_H

#include "record/remote/remote_image.h"
#include "record/remote/remote_thread.h"

/* Where a thread must be, so that dwell may use the thread for the call. */
enum remote_from {
	/* Threads in a waiting system call, or in code of the program or its libraries, without any lock
	 * that loading a library needs, in any function on their stack (remote_stack.h). If the call
	 * waits for a lock nevertheless, the call and the thread's own work take turns, unless meanwhile has an act. */
	REMOTE_WITHOUT_LOCKS,
	REMOTE_ANYWHERE, /* any thread: the called function takes no lock */
};

/* What to do while dwell looks for a thread, and while the call runs. */
struct remote_meanwhile {
	void (*act)(void *context); /* called again and again; for a call that can be paused: during the pauses */
	void *context;
	/* Address of a word of the process that is not 0 while the call can be paused. The call then runs in portions, and the
	 * thread does its own work in between. Above 1: the call waits for act, and the thread goes on at once. 0: no such word;
	 * still, a call of REMOTE_WITHOUT_LOCKS without act takes turns with the thread's own work if it waits for a lock. */
	uint64_t may_pause;
};
/* Calls function, an address in the process, with two arguments: a pointer to a copy of text, and number. All other threads go
 * on. function: 0: returns REMOTE_FOREIGN. text: null: the pointer leads to no text. meanwhile: null: nothing to do. image: the
 * image in which the caller found the address; remote_call reads the image's mappings again. REMOTE_ENDED for a process that still
 * exists: the thread ended while the call was paused. */
enum remote_problem remote_call(struct remote_image *image, enum remote_from from, uint64_t function, const char *text,
	uint64_t number, const struct remote_meanwhile *meanwhile);

/* Gives the process copies of dwell's descriptors, even of files that the
 * process may not open. theirs: receives the process's numbers of the copies. */
enum remote_problem remote_copy_descriptors(struct remote_image *image, const int *descriptors, unsigned count, int *theirs);
/* Closes copies that remote_copy_descriptors has made. theirs: the process's numbers. */
enum remote_problem remote_close_descriptors(struct remote_image *image, const int *theirs, unsigned count);
/* The most descriptors in one call of remote_copy_descriptors. */
#define REMOTE_DESCRIPTORS_MAX 8u

#endif
