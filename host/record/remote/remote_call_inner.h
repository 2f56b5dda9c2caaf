/* remote_call_inner: the state of a borrowed thread. Private to remote_call.c and its parts. */
#ifndef DWELL_HOST_RECORD_REMOTE_REMOTE_CALL_INNER_H
#define DWELL_HOST_RECORD_REMOTE_REMOTE_CALL_INNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/user.h>

#include "record/remote/remote_call.h"

#define STATE_BYTES_MAX 16384u
#define FRAME_BYTES_MAX 1024u /* of the rest of a signal frame, beside the state */
#define CODE_BYTES UINT64_C(4096)

/* The call returns to remote_return_code, code that dwell has copied into the process. This struct, at the end of the call's stack,
 * is the code's data; rbx, which functions preserve, points to the struct. The code sets done, and waits for the tracer. The wait
 * is a system call without restart state in the kernel, since the restart state belongs to the thread's own system call. */
struct return_data {
	uint32_t done, unused;
	int64_t patience[2]; /* how long the code waits, in seconds and nanoseconds; then it restores the thread itself */
};
#define PATIENCE_BACK_S 2
extern const uint8_t remote_return_code[];
extern const size_t remote_return_code_bytes, remote_return_code_resume; /* resume: offset of the instruction behind the wait */

/* A stopped thread, and the state to restore in it. */
struct borrowed {
	struct remote_image *image;
	pid_t tid;
	uint64_t stopped_ns; /* when the thread was stopped, for remote_note_stop */
	/* remote_let_run: remote_count_runs and the time before the thread was let go; since when the thread runs, 0: not yet. */
	uint64_t runs, let_run_ns, run_ns;
	int signal; /* a signal that stopped the thread; delivered when the thread goes on; 0: no signal */
	struct user_regs_struct registers;
	uint64_t mask; /* of blocked signals */
	uint64_t restorer, syscall_code; /* addresses of instructions in libc, see remote_call.c */
	uint64_t stack;    /* of the call, and code behind the stack; 0: none */
	uint8_t state[STATE_BYTES_MAX]; /* of the thread's vector registers */
	size_t state_bytes;
	/* While the thread makes system calls for dwell, the thread's own stack has a signal frame, to which
	 * the system calls return if dwell is killed. pointer 0: no frame, since the stack has no room. */
	uint64_t pointer, low;
	uint8_t under[STATE_BYTES_MAX + FRAME_BYTES_MAX]; /* the bytes that the frame replaces, from low on */
	size_t under_bytes;
};

/* remote_call.c: stops a thread and makes a stack for a call. After REMOTE_DONE, call remote_end_calls with the outcome. */
enum remote_problem remote_begin_calls(struct borrowed *borrowed, struct remote_image *image, enum remote_from from,
	const struct remote_meanwhile *meanwhile);
void remote_end_calls(struct borrowed *borrowed, enum remote_problem problem);
/* Makes a system call in the thread, after remote_begin_calls and before the thread goes on with other code. *result: as the
 * kernel returns it, −errno for an error. False: the thread has ended. */
bool remote_make_syscall(struct borrowed *borrowed, long number, const uint64_t arguments[6], uint64_t *result);

/* remote_call_borrow.c: stops a thread that may make the call. Calls
 * meanwhile->act until a thread is found: each thread may be waiting for act. */
enum remote_problem remote_borrow_thread(
	struct borrowed *borrowed, enum remote_from from, const struct remote_meanwhile *meanwhile);
/* Detaches from the thread, delivers its signal, and counts the stop. */
void remote_give_back_thread(struct borrowed *borrowed);
/* Whether the thread is in a restartable sequence (rseq), which would not restart after a call. */
bool remote_is_in_sequence(const struct remote_image *image, pid_t tid, uint64_t place);
/* Whether the page contains the code to which a call returns. */
bool remote_is_return_code(const struct borrowed *borrowed, uint64_t page);

/* remote_call_own.c: lets the stopped thread run, and delivers the signal to it. */
bool remote_let_run(struct borrowed *borrowed, int signal);
/* Returns the time since this function found the thread on a processor for the first time after remote_let_run. 0: not yet. On a
 * busy machine this takes milliseconds, and a thread that is stopped earlier has executed no instruction. */
uint64_t remote_time_run_ns(struct borrowed *borrowed);
/* Lets the thread do the thread's own work for ns, and calls meanwhile->act in this time. */
enum remote_problem remote_run_own(struct borrowed *borrowed, uint64_t ns, const struct remote_meanwhile *meanwhile);
/* Stops the thread again: outside restartable sequences, and without a pending signal that would be lost. */
enum remote_problem remote_stop_own(struct borrowed *borrowed);

/* remote_call_state.c: reads the vector registers of the thread, in the format of ptrace. */
bool remote_read_state(struct borrowed *borrowed);
/* Writes, below top, a return address and a signal frame that restores the thread. Sets *pointer to the new stack pointer. */
bool remote_write_signal_frame(const struct borrowed *borrowed, uint64_t top, uint64_t return_to, uint64_t *pointer);

#endif
