/* remote_call: makes a function call in a stopped thread of another process: prepares the stack, waits for the return, and restores
 * the thread. remote_call_borrow.c chooses the thread. */
#include "record/remote/remote_call_inner.h"

#ifdef __x86_64__

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "record/remote/remote_find.h"
#include "util/clock.h"

#define PATIENCE_CALL_S 90 /* an agent waits for record for a minute */
#define FIRST_TURN_NS 200000000u /* a call that runs longer waits for a lock or an event, so turns begin */
#define TURN_NS 2000000u       /* a turn of the call */
#define OWN_TURN_NS 1000000u /* a turn of the thread's own work, which may hold the lock for which the call waits */
#define PORTION_NS 1500000u    /* of a call that can be paused */
#define BETWEEN_NS 3000000u    /* between portions, for the thread's own work */
#define TURNS_NS 4000000000u   /* all turns; then dwell abandons the call */
#define STACK_BYTES (UINT64_C(256) << 10)
#define ALL_BYTES (STACK_BYTES + CODE_BYTES)
#define RED_ZONE_BYTES 128u
#define STOPS_MAX 100 /* for one system call stop: stops for signals and ptrace events may come before */
#define CALL_SIGNAL (SIGTRAP | 0x80) /* PTRACE_O_TRACESYSGOOD */
#define DIRECTION_FLAG 0x400u

/* The code to which signal handlers return in any C library (mov $15,
 * %rax; syscall), and a system call instruction followed by a return. */
static const uint8_t restorer[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
static const uint8_t syscall_code[] = {0x0f, 0x05, 0xc3};
#define CALL_BYTES 2u

const uint8_t remote_return_code[] = {
	0xc7, 0x03, 1, 0, 0, 0,  /* movl $1, (%rbx)      done */
	0x31, 0xff,              /* xor %edi, %edi       no files */
	0x31, 0xf6,              /* xor %esi, %esi */
	0x48, 0x8d, 0x53, 8,     /* lea 8(%rbx), %rdx    patience */
	0x45, 0x31, 0xd2,        /* xor %r10d, %r10d     no mask */
	0x45, 0x31, 0xc0,        /* xor %r8d, %r8d */
	0xb8, SYS_ppoll & 0xff, SYS_ppoll >> 8, 0, 0, /* mov $SYS_ppoll, %eax: waits for the tracer to stop it */
	0x0f, 0x05,
	0xb8, SYS_rt_sigreturn, 0, 0, 0, /* no tracer: restores the thread */
	0x0f, 0x05,
};
const size_t remote_return_code_bytes = sizeof remote_return_code;
const size_t remote_return_code_resume = sizeof remote_return_code - 7;

/* Runs the thread to the beginning or the end of the thread's next system call. (Single steps would leave a trap behind if dwell
 * were killed in between.) If a signal stops the thread, keeps the signal for later. Passes over ptrace events. A blocked signal
 * makes no stop. */
static bool run_to_syscall(struct borrowed *borrowed)
{
	for (int i = 0; i < STOPS_MAX; i++) {
		int signal, event;

		if (ptrace(PTRACE_SYSCALL, borrowed->tid, 0, 0) < 0 || !remote_wait(borrowed->tid, &signal, &event))
			return false;
		if (signal == CALL_SIGNAL)
			return true;
		if (!event)
			borrowed->signal = signal;
	}
	return false;
}

/* Prepares the thread for system calls: writes a signal frame to the thread's stack, to return to its own work if the tracer
 * disappears. Writes only with enough stack below the stack pointer, and over no other thread's data; else writes no frame. */
static bool write_rescue_frame(struct borrowed *borrowed)
{
	uint64_t top = borrowed->registers.rsp - RED_ZONE_BYTES;
	const struct remote_mapping *at = remote_image_at(borrowed->image, top);

	borrowed->pointer = 0;
	borrowed->under_bytes = borrowed->state_bytes + FRAME_BYTES_MAX;
	borrowed->low = top - borrowed->under_bytes;
	if (remote_find_stack_room(borrowed->image, top, borrowed->registers.fs_base) < borrowed->under_bytes &&
		!(at && remote_is_return_code(borrowed, at->high)))
		return true;
	return remote_read(borrowed->image, borrowed->low, borrowed->under, borrowed->under_bytes) &&
	       remote_write_signal_frame(borrowed, top, borrowed->restorer, &borrowed->pointer);
}

/* Removes the signal frame of write_rescue_frame: restores the bytes that the frame replaced. The thread must make no system call
 * for dwell before the next write_rescue_frame. */
static void remove_rescue_frame(struct borrowed *borrowed)
{
	if (borrowed->pointer)
		remote_write(borrowed->image, borrowed->low, borrowed->under, borrowed->under_bytes);
	borrowed->pointer = 0;
}

/* Blocks all signals but those of traps and faults. */
static bool block_signals(const struct borrowed *borrowed)
{
	const uint64_t mask = ~(UINT64_C(1) << (SIGTRAP - 1) | UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGBUS - 1));

	return ptrace(PTRACE_SETSIGMASK, borrowed->tid, sizeof mask, &mask) == 0;
}

bool remote_make_syscall(struct borrowed *borrowed, long number, const uint64_t arguments[6], uint64_t *result)
{
	struct user_regs_struct registers = borrowed->registers;

	registers.rip = borrowed->syscall_code;
	if (borrowed->pointer)
		registers.rsp = borrowed->pointer;
	registers.rax = (uint64_t)number;
	registers.orig_rax = (uint64_t)-1; /* the kernel must not restart the thread's own call now */
	registers.rdi = arguments[0];
	registers.rsi = arguments[1];
	registers.rdx = arguments[2];
	registers.r10 = arguments[3];
	registers.r8 = arguments[4];
	registers.r9 = arguments[5];
	/* Signals are blocked during the call; the signal frame contains the thread's own mask. */
	if (ptrace(PTRACE_SETREGS, borrowed->tid, 0, &registers) < 0 || !block_signals(borrowed) || !run_to_syscall(borrowed) ||
		!run_to_syscall(borrowed) || ptrace(PTRACE_GETREGS, borrowed->tid, 0, &registers) < 0)
		return false;
	*result = registers.rax;
	return registers.rip == borrowed->syscall_code + CALL_BYTES;
}

/* Fills the stack of the call, from its end down: the data for remote_return_code, the text, and the signal frame that restores the
 * thread. Copies the code of remote_return_code behind the stack. Sets the call's rbx, rdi (the text) and rsp. */
static bool fill_stack(struct borrowed *borrowed, const char *text, struct user_regs_struct *registers)
{
	size_t text_bytes = text ? strlen(text) + 1 : 0;
	uint64_t end = borrowed->stack + STACK_BYTES, pointer;
	const struct return_data return_data = {.patience = {PATIENCE_BACK_S, 0}};
	bool good;

	registers->rbx = end - sizeof return_data;
	registers->rdi = (registers->rbx - text_bytes) & ~UINT64_C(15);
	good = remote_write_signal_frame(borrowed, registers->rdi, end, &pointer);
	registers->rsp = pointer;
	return good && remote_write(borrowed->image, end, remote_return_code, remote_return_code_bytes) &&
	       remote_write(borrowed->image, registers->rbx, &return_data, sizeof return_data) &&
	       (!text_bytes || remote_write(borrowed->image, registers->rdi, text, text_bytes));
}

/* Saves the thread's registers and signal mask, which restore_thread restores. */
static bool save_thread(struct borrowed *borrowed)
{
	return ptrace(PTRACE_GETREGS, borrowed->tid, 0, &borrowed->registers) == 0 &&
	       ptrace(PTRACE_GETSIGMASK, borrowed->tid, sizeof borrowed->mask, &borrowed->mask) == 0 && remote_read_state(borrowed);
}

/* Stops the thread, at any place. */
static bool stop(struct borrowed *borrowed)
{
	int signal, event;

	if (ptrace(PTRACE_INTERRUPT, borrowed->tid, 0, 0) < 0 || !remote_wait(borrowed->tid, &signal, &event))
		return false;
	if (!event && signal != SIGTRAP)
		borrowed->signal = signal;
	return true;
}

/* Stops the thread after the call, in its wait in remote_return_code. If the thread
 * waited for too long and went on with its own work, saves the thread's new state. */
static enum remote_problem stop_again(struct borrowed *borrowed)
{
	struct user_regs_struct registers;
	uint64_t code = borrowed->stack + STACK_BYTES;

	do {
		if (!stop(borrowed) || ptrace(PTRACE_GETREGS, borrowed->tid, 0, &registers) < 0)
			return REMOTE_ENDED;
		if (registers.rip - code < remote_return_code_bytes)
			return REMOTE_DONE;
	} while (!save_thread(borrowed));
	return REMOTE_DONE;
}

/* Whether the call waits for meanwhile->act: its word at may_pause is above 1. */
static bool waits_for_act(const struct borrowed *borrowed, const struct remote_meanwhile *meanwhile)
{
	uint32_t may = 0;

	return meanwhile->may_pause && remote_read(borrowed->image, meanwhile->may_pause, &may, sizeof may) && may > 1;
}

/* Waits for the call. REMOTE_DONE: the call has returned. REMOTE_BUSY: the call has run for ns, or waits for act. REMOTE_ENDED: the
 * thread has ended. return_data: address of the data of remote_return_code. Passes on signals that dwell cannot or does not
 * block. */
static enum remote_problem wait_for(
	struct borrowed *borrowed, uint64_t return_data, uint64_t ns, const struct remote_meanwhile *meanwhile)
{
	uint32_t done = 0;

	while (!done) {
		uint64_t run_ns;
		int signal, event;
		bool ended;

		if (remote_poll(borrowed->tid, &signal, &event, &ended)) {
			ptrace(PTRACE_CONT, borrowed->tid, 0, event ? 0 : signal);
			continue;
		}
		if (ended || !remote_read(borrowed->image, return_data, &done, sizeof done))
			return REMOTE_ENDED;
		run_ns = remote_time_run_ns(borrowed);
		if (!done && run_ns && (run_ns > ns || waits_for_act(borrowed, meanwhile)))
			return REMOTE_BUSY;
		if (meanwhile->act && !meanwhile->may_pause)
			meanwhile->act(meanwhile->context);
		if (!done)
			remote_pause_us(100);
	}
	return REMOTE_DONE;
}

/* Restores the thread. The registers come last, since dwell may be
 * killed in the middle: the call does no harm with the thread's mask. */
static bool restore_thread(const struct borrowed *borrowed)
{
	struct iovec vector = {(void *)(uintptr_t)borrowed->state, borrowed->state_bytes};

	return ptrace(PTRACE_SETREGSET, borrowed->tid, NT_X86_XSTATE, &vector) == 0 &&
	       ptrace(PTRACE_SETSIGMASK, borrowed->tid, sizeof borrowed->mask, &borrowed->mask) == 0 &&
	       ptrace(PTRACE_SETREGS, borrowed->tid, 0, &borrowed->registers) == 0;
}

/* The stack of the paused call. If the call's thread ends meanwhile, the stack stays mapped, and the next call unmaps the stack. */
static struct leaked_stack {
	pid_t pid;
	uint64_t stack;
} leaked_stack;

/* Whether the stopped call may be paused now: the word at may_pause is not 0. may_pause 0: without such a word, always. */
static bool is_pausable(const struct borrowed *borrowed, uint64_t may_pause)
{
	uint32_t may = 0;

	return !may_pause || (remote_read(borrowed->image, may_pause, &may, sizeof may) && may);
}

/* Lets the call go on. The order matters, since dwell may be killed between any two steps: the call
 * may run with the thread's mask and vector registers, of which the agent uses none, but the thread's
 * own work must not run with any of the call's. (To return to the call as from a signal handler would
 * be one step, but the kernel would forget how long the thread's own sleep still has to last.) */
static bool resume(struct borrowed *borrowed, const struct borrowed *aside)
{
	struct iovec vector = {(void *)(uintptr_t)aside->state, aside->state_bytes};

	return ptrace(PTRACE_SETREGS, aside->tid, 0, &aside->registers) == 0 &&
	       ptrace(PTRACE_SETREGSET, aside->tid, NT_X86_XSTATE, &vector) == 0 &&
	       ptrace(PTRACE_SETSIGMASK, aside->tid, sizeof aside->mask, &aside->mask) == 0 && remote_let_run(borrowed, 0);
}

/* Pauses the call for ns, while the thread does its own work, and then lets the call go on. top: the address on the call's stack
 * below which the signal frame is. REMOTE_DONE: the call goes on, or could not be paused. */
static enum remote_problem pause_call(
	struct borrowed *borrowed, uint64_t top, uint64_t ns, const struct remote_meanwhile *meanwhile)
{
	static struct borrowed aside;
	uint64_t pointer;
	enum remote_problem problem;

	aside = (struct borrowed){.image = borrowed->image, .tid = borrowed->tid};
	if (!stop(borrowed) || !save_thread(&aside))
		return REMOTE_ENDED;
	if (aside.registers.rip - (borrowed->stack + STACK_BYTES) < remote_return_code_bytes ||
		!is_pausable(borrowed, meanwhile->may_pause))
		return remote_let_run(borrowed, 0) ? REMOTE_DONE : REMOTE_ENDED;
	if (!restore_thread(borrowed) || !remote_let_run(borrowed, borrowed->signal))
		return REMOTE_ENDED;
	remote_note_stop(borrowed->stopped_ns);
	borrowed->signal = 0;
	leaked_stack = (struct leaked_stack){borrowed->image->pid, borrowed->stack};
	problem = remote_run_own(borrowed, ns, meanwhile);
	if (problem == REMOTE_DONE)
		problem = remote_stop_own(borrowed);
	if (problem != REMOTE_DONE)
		return problem;
	leaked_stack = (struct leaked_stack){0};
	if (!save_thread(borrowed) || !remote_write_signal_frame(borrowed, top, borrowed->stack + STACK_BYTES, &pointer) ||
		!resume(borrowed, &aside))
		return REMOTE_ENDED;
	return REMOTE_DONE;
}

/* Abandons the call at its place, and lets the thread go on. */
static enum remote_problem abandon_call(struct borrowed *borrowed)
{
	if (!stop(borrowed) || !restore_thread(borrowed))
		return REMOTE_ENDED;
	remote_give_back_thread(borrowed);
	return REMOTE_STUCK;
}

/* Limits in ns. After first, the call and its thread take turns: turn
 * for the call, own for the thread's own work, all for both together. */
struct patience {
	uint64_t first, turn, own, all;
};

/* Waits for the call as wait_for, while call and own work take turns. began: the registers with which the call began. */
static enum remote_problem wait_in_turns(struct borrowed *borrowed, const struct user_regs_struct *began,
	const struct patience *patience, const struct remote_meanwhile *meanwhile)
{
	uint64_t return_data = began->rbx, since = clock_now_ns();
	enum remote_problem problem = wait_for(borrowed, return_data, patience->first, meanwhile);

	while (problem == REMOTE_BUSY && clock_now_ns() - since < patience->all) {
		problem = pause_call(borrowed, began->rdi, patience->own, meanwhile);
		if (problem == REMOTE_DONE)
			problem = wait_for(borrowed, return_data, patience->turn, meanwhile);
	}
	return problem;
}

/* Waits for the call, and stops the thread after its return. REMOTE_SLOW, REMOTE_STUCK: see remote_thread.h. */
static enum remote_problem wait_for_return(struct borrowed *borrowed, enum remote_from from, const struct user_regs_struct *began,
	const struct remote_meanwhile *meanwhile)
{
	static const struct patience waits = {FIRST_TURN_NS, TURN_NS, OWN_TURN_NS, FIRST_TURN_NS + TURNS_NS};
	static const struct patience works = {PORTION_NS, PORTION_NS, BETWEEN_NS, PATIENCE_CALL_S * 1000000000ull};
	uint64_t return_data = began->rbx;
	enum remote_problem problem;

	if (meanwhile->may_pause)
		problem = wait_in_turns(borrowed, began, &works, meanwhile);
	else if (from == REMOTE_ANYWHERE || meanwhile->act)
		problem = wait_for(borrowed, return_data, PATIENCE_CALL_S * 1000000000ull, meanwhile);
	else
		problem = wait_in_turns(borrowed, began, &waits, meanwhile);
	if (problem == REMOTE_DONE)
		return stop_again(borrowed);
	if (problem != REMOTE_BUSY)
		return problem;
	if (meanwhile->may_pause || meanwhile->act || from == REMOTE_ANYWHERE)
		return REMOTE_SLOW; /* the call comes back by itself */
	return abandon_call(borrowed);
}

/* Makes the call in the stopped thread, which has a stack for the call, and waits for the return. */
static enum remote_problem call(struct borrowed *borrowed, enum remote_from from, uint64_t function, const char *text,
	uint64_t number, const struct remote_meanwhile *meanwhile)
{
	struct user_regs_struct registers = borrowed->registers;

	if (!fill_stack(borrowed, text, &registers))
		return REMOTE_ENDED;
	registers.rsi = number;
	registers.rip = function;
	registers.rax = 0;
	registers.orig_rax = (uint64_t)-1;
	registers.eflags &= ~(uint64_t)DIRECTION_FLAG;
	if (ptrace(PTRACE_SETREGS, borrowed->tid, 0, &registers) < 0)
		return REMOTE_ENDED;
	remove_rescue_frame(borrowed);
	if (!remote_let_run(borrowed, 0))
		return REMOTE_ENDED;
	return wait_for_return(borrowed, from, &registers, meanwhile);
}

/* Maps a stack for the call. The last page of the mapping is for code. */
static enum remote_problem begin_stack(struct borrowed *borrowed)
{
	uint64_t arguments[6] = {0, ALL_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, UINT64_MAX, 0}, address, result;

	if (!remote_make_syscall(borrowed, SYS_mmap, arguments, &address))
		return REMOTE_ENDED;
	errno = address >= (uint64_t)-4095ll ? (int)-address : 0;
	if (errno)
		return REMOTE_NO_ROOM;
	borrowed->stack = address;
	arguments[0] = address;
	arguments[1] = STACK_BYTES;
	arguments[2] = PROT_READ | PROT_WRITE;
	if (!remote_make_syscall(borrowed, SYS_mprotect, arguments, &result))
		return REMOTE_ENDED;
	errno = (int)-result;
	return errno ? REMOTE_NO_ROOM : REMOTE_DONE;
}

/* Unmaps the call's stack and lets the thread go on as before. */
static void give_back(struct borrowed *borrowed)
{
	const uint64_t arguments[6] = {borrowed->stack, ALL_BYTES};
	uint64_t result;

	if (borrowed->stack && (borrowed->pointer || write_rescue_frame(borrowed)))
		remote_make_syscall(borrowed, SYS_munmap, arguments, &result);
	restore_thread(borrowed);
	remove_rescue_frame(borrowed);
	remote_give_back_thread(borrowed);
}

enum remote_problem remote_begin_calls(struct borrowed *borrowed, struct remote_image *image, enum remote_from from,
	const struct remote_meanwhile *meanwhile)
{
	enum remote_problem problem;

	*borrowed = (struct borrowed){.image = image,
		.restorer = remote_find_code(image, "libc", restorer, sizeof restorer),
		.syscall_code = remote_find_code(image, "libc", syscall_code, sizeof syscall_code)};
	if (!borrowed->restorer || !borrowed->syscall_code)
		return remote_image_is_current(image) ? REMOTE_FOREIGN : REMOTE_EXECED;
	if (remote_has_shadow_stack(image->pid))
		return REMOTE_SHADOW_STACK;
	problem = remote_borrow_thread(borrowed, from, meanwhile);
	if (problem != REMOTE_DONE)
		return problem;
	if (!remote_read_state(borrowed) || !write_rescue_frame(borrowed)) {
		remote_give_back_thread(borrowed);
		return REMOTE_ENDED;
	}
	problem = begin_stack(borrowed);
	if (problem == REMOTE_NO_ROOM) {
		int error = errno;

		give_back(borrowed);
		errno = error;
	} else if (problem != REMOTE_DONE) {
		remote_detach(borrowed->tid, 0);
	}
	return problem;
}

void remote_end_calls(struct borrowed *borrowed, enum remote_problem problem)
{
	int error = errno;

	if (problem == REMOTE_DONE || problem == REMOTE_NO_ROOM)
		give_back(borrowed);
	else if (problem != REMOTE_STUCK) /* exec in another thread may have ended this thread, a zombie until dwell reaps it */
		remote_detach(borrowed->tid, 0);
	if (problem == REMOTE_ENDED && borrowed->tid != borrowed->image->pid && !remote_exists(borrowed->tid))
		remote_detach_new_program(borrowed->image->pid);
	errno = error;
}

static struct borrowed borrowed;

static void unmap_leaked_stack(void)
{
	const uint64_t arguments[6] = {leaked_stack.stack, ALL_BYTES};
	uint64_t result;

	if (leaked_stack.stack && leaked_stack.pid == borrowed.image->pid)
		remote_make_syscall(&borrowed, SYS_munmap, arguments, &result);
	leaked_stack = (struct leaked_stack){0};
}

enum remote_problem remote_call(struct remote_image *image, enum remote_from from, uint64_t function, const char *text,
	uint64_t number, const struct remote_meanwhile *meanwhile)
{
	static const struct remote_meanwhile nothing;
	enum remote_problem problem;

	if (!meanwhile)
		meanwhile = &nothing;
	problem = function ? remote_begin_calls(&borrowed, image, from, meanwhile) : REMOTE_FOREIGN;
	if (problem != REMOTE_DONE)
		return problem;
	unmap_leaked_stack();
	problem = call(&borrowed, from, function, text, number, meanwhile);
	remote_end_calls(&borrowed, problem);
	return problem;
}

#else

enum remote_problem remote_call(struct remote_image *image, enum remote_from from, uint64_t function, const char *text,
	uint64_t number, const struct remote_meanwhile *meanwhile)
{
	(void)image;
	(void)from;
	(void)function;
	(void)text;
	(void)number;
	(void)meanwhile;
	return REMOTE_FOREIGN;
}

#endif
