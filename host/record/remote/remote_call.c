#include "record/remote/remote_call.h"

#ifdef __x86_64__

#include <cpuid.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <time.h>

#include "record/remote/remote_find.h"

#define PATIENCE_MS 5000
#define PATIENCE_CALL_S 90 /* an agent waits for a minute */
#define STACK_BYTES (UINT64_C(256) << 10)
#define CODE_BYTES UINT64_C(4096)
#define ALL_BYTES (STACK_BYTES + CODE_BYTES)
#define STATE_BYTES_MAX 16384u
#define FRAME_BYTES_MAX 1024u /* of all else that is beside it */
#define RED_ZONE_BYTES 128u
#define STOPS_MAX 100 /* each but the first was a signal's */
#define CALL_SIGNAL (SIGTRAP | 0x80) /* PTRACE_O_TRACESYSGOOD */
#define FUTEX_WAIT_UNTIL 9u /* FUTEX_WAIT_BITSET */
#define FUTEX_KIND 0x7fu
#define DIRECTION_FLAG 0x400u
#define RSEQ_CS 8u /* in struct rseq */

/* What signal handlers of any C library return to (mov $15, %rax; syscall), and an instruction of it that calls the system, with a return
 * behind it. */
static const uint8_t restorer[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
static const uint8_t calls_system[] = {0x0f, 0x05, 0xc3};
#define CALL_BYTES 2u

/* What the call returns to, with the address of this in a register that a function keeps. It waits by a system call that the kernel
 * remembers nothing of: what it remembers of one is of the thread's own. */
struct back {
	uint32_t done, unused;
	int64_t patience[2]; /* seconds and nanoseconds */
};
#define PATIENCE_BACK_S 2
static const uint8_t coming_back[] = {
	0xc7, 0x03, 1, 0, 0, 0,  /* movl $1, (%rbx)      done */
	0x31, 0xff,              /* xor %edi, %edi       no files */
	0x31, 0xf6,              /* xor %esi, %esi */
	0x48, 0x8d, 0x53, 8,     /* lea 8(%rbx), %rdx    patience */
	0x45, 0x31, 0xd2,        /* xor %r10d, %r10d     no mask */
	0x45, 0x31, 0xc0,        /* xor %r8d, %r8d */
	0xb8, SYS_ppoll & 0xff, SYS_ppoll >> 8, 0, 0, /* mov $SYS_ppoll, %eax: waits for the tracer to stop it */
	0x0f, 0x05,
	0xb8, SYS_rt_sigreturn, 0, 0, 0, /* there is none */
	0x0f, 0x05,
};
#define COMING_BACK_END (sizeof coming_back - 7) /* where it waits no more */

/* A stopped thread, and what it has to have back. */
struct borrowed {
	pid_t pid, tid;
	int signal;
	struct user_regs_struct registers;
	uint64_t mask;
	uint64_t restorer, calls_system; /* addresses */
	uint64_t stack;    /* of the call, and behind it code; 0: none */
	uint8_t state[STATE_BYTES_MAX]; /* of its vector registers */
	size_t state_bytes;
	/* While it makes system calls, on its own stack: what it returns to, should nobody be there any more. 0: there is no room. */
	uint64_t pointer, low;
	uint8_t under[STATE_BYTES_MAX + FRAME_BYTES_MAX]; /* what was there, from low on */
	size_t under_bytes;
};

/* System calls in which a thread waits, and holds no lock of the C library's that a call needs. Waiting until a time is for conditions, for
 * threads and semaphores; locks are waited for without. */
static bool is_waiting(const struct user_regs_struct *registers)
{
	static const long calls[] = {SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_poll, SYS_ppoll, SYS_select, SYS_pselect6,
		SYS_epoll_wait, SYS_epoll_pwait, SYS_accept, SYS_accept4, SYS_recvfrom, SYS_recvmsg, SYS_sendto, SYS_sendmsg,
		SYS_nanosleep, SYS_clock_nanosleep, SYS_pause, SYS_rt_sigtimedwait, SYS_rt_sigsuspend, SYS_wait4, SYS_waitid,
		SYS_restart_syscall};

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if ((long)registers->orig_rax == calls[i])
			return true;
	return (long)registers->orig_rax == SYS_futex && (registers->rsi & FUTEX_KIND) == FUTEX_WAIT_UNTIL;
}

/* In a restartable sequence, which would not be begun again. */
static bool is_in_sequence(pid_t pid, pid_t tid, uint64_t place)
{
	struct __ptrace_rseq_configuration where;
	struct {
		uint32_t version, flags;
		uint64_t start, bytes, abort;
	} sequence;
	uint64_t address = 0;

	return ptrace(PTRACE_GET_RSEQ_CONFIGURATION, tid, sizeof where, &where) == sizeof where && where.rseq_abi_pointer &&
	       remote_read(pid, where.rseq_abi_pointer + RSEQ_CS, &address, sizeof address) && address &&
	       remote_read(pid, address, &sequence, sizeof sequence) && place - sequence.start < sequence.bytes;
}

static bool is_fit(pid_t pid, enum remote_from from, const struct user_regs_struct *registers)
{
	if (from == REMOTE_ANYWHERE)
		return true;
	return (long)registers->orig_rax >= 0 ? is_waiting(registers) : remote_is_outside_of_locks(pid, registers->rip);
}

static bool is_way_back(const struct borrowed *borrowed, uint64_t page)
{
	uint8_t code[sizeof coming_back];

	return remote_read(borrowed->pid, page, code, sizeof code) && !memcmp(code, coming_back, sizeof code);
}

/* It comes back from the call of somebody who was killed: it need not wait for him. False: it does not. */
static bool send_home(struct borrowed *borrowed)
{
	uint64_t page = borrowed->registers.rip & ~(CODE_BYTES - 1);

	if (!is_way_back(borrowed, page))
		return false;
	borrowed->registers.rip = page + COMING_BACK_END;
	borrowed->registers.orig_rax = (uint64_t)-1;
	ptrace(PTRACE_SETREGS, borrowed->tid, 0, &borrowed->registers);
	return true;
}

static enum remote_problem try_thread(struct borrowed *borrowed, enum remote_from from, pid_t tid)
{
	enum remote_problem problem = remote_is_held(tid) ? REMOTE_BUSY : remote_seize(tid, &borrowed->signal);

	if (problem != REMOTE_DONE)
		return problem;
	borrowed->tid = tid;
	if (!borrowed->signal && ptrace(PTRACE_GETREGS, tid, 0, &borrowed->registers) == 0 && !send_home(borrowed) &&
		is_fit(borrowed->pid, from, &borrowed->registers) && !is_in_sequence(borrowed->pid, tid, borrowed->registers.rip) &&
		ptrace(PTRACE_GETSIGMASK, tid, sizeof borrowed->mask, &borrowed->mask) == 0)
		return REMOTE_DONE;
	remote_let_go(tid, borrowed->signal);
	return REMOTE_BUSY;
}

/* A thread that can be called from, stopped. */
static enum remote_problem borrow(struct borrowed *borrowed, enum remote_from from)
{
	enum remote_problem problem = REMOTE_GONE;

	for (int i = 0; i < PATIENCE_MS; i++) {
		struct dirent *entry;
		char path[64];
		DIR *folder;

		snprintf(path, sizeof path, "/proc/%ld/task", (long)borrowed->pid);
		folder = opendir(path);
		if (!folder)
			return REMOTE_GONE;
		problem = REMOTE_BUSY;
		while (problem == REMOTE_BUSY && (entry = readdir(folder)))
			if (*entry->d_name != '.')
				problem = try_thread(borrowed, from, (pid_t)strtol(entry->d_name, NULL, 10));
		closedir(folder);
		if (problem != REMOTE_BUSY && problem != REMOTE_GONE && problem != REMOTE_HELD)
			return problem;
		remote_pause_us(1000);
	}
	return problem;
}

/* To where its next system call begins, or ends: a step would leave a trap behind, should its tracer be killed in the middle. A stop that
 * nobody asked for is remembered or passed over; of a signal that is blocked there is none. */
static bool go_to_call(struct borrowed *borrowed)
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

/* What rt_sigreturn(2) expects where the stack pointer is: struct ucontext of the kernel, and what it points to. */
struct returning {
	uint64_t flags, link, stack[3];
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip, eflags;
	uint16_t cs, gs, fs, ss;
	uint64_t error, trap, old_mask, cr2, state, reserved[8];
	uint64_t mask;
};
_Static_assert(offsetof(struct returning, mask) == 40 + 256, "as in the kernel's asm/sigcontext.h");

#define RETURNS_STATE 1u
#define RETURNS_SS 6u
#define STACK_OF_NOBODY 0xffu /* flags that the kernel refuses: the signal stack stays as it is */
#define STATE_SOFTWARE 464u
#define STATE_LEGACY_BYTES 576u /* with the header behind it, which begins with the registers that are in use */
#define FEATURES_TILES (UINT64_C(3) << 17)
#define STATE_MAGIC_1 0x46505853u
#define STATE_MAGIC_2 0x46505845u

static void fill_returning(const struct borrowed *borrowed, struct returning *returning, uint64_t state)
{
	const struct user_regs_struct *from = &borrowed->registers;
	int64_t result = (int64_t)from->rax;
	/* A system call that was interrupted is made again, as behind a handler; of a time to wait the whole. */
	bool again = (int64_t)from->orig_rax >= 0 && result <= -512 && result >= -516;

	*returning = (struct returning){RETURNS_STATE | RETURNS_SS, 0, {0, STACK_OF_NOBODY, 0}, from->r8, from->r9, from->r10, from->r11,
		from->r12, from->r13, from->r14, from->r15, from->rdi, from->rsi, from->rbp, from->rbx, from->rdx,
		again ? from->orig_rax : from->rax, from->rcx, from->rsp, from->rip - (again ? 2 : 0), from->eflags, (uint16_t)from->cs,
		(uint16_t)from->gs, (uint16_t)from->fs, (uint16_t)from->ss, 0, 0, 0, 0, state, {0}, borrowed->mask};
}

static bool read_state(struct borrowed *borrowed)
{
	struct iovec state = {borrowed->state, sizeof borrowed->state};

	if (ptrace(PTRACE_GETREGSET, borrowed->tid, NT_X86_XSTATE, &state) < 0 || state.iov_len < STATE_LEGACY_BYTES)
		return false;
	borrowed->state_bytes = state.iov_len;
	return true;
}

/* What rt_sigreturn(2) takes of that: the registers that the thread may use. ptrace gives those of all threads, and tiles (AMX) are for
 * those that have asked for them: without that the kernel takes nothing but the oldest. Sets which registers they are. */
static uint32_t find_returned_bytes(const struct borrowed *borrowed, uint64_t *features)
{
	uint64_t has;
	uint32_t bytes = STATE_LEGACY_BYTES, size, offset, c, d;

	memcpy(&has, borrowed->state + STATE_LEGACY_BYTES - 64, sizeof has);
	memcpy(features, borrowed->state + STATE_SOFTWARE, sizeof *features);
	if (!(*features & FEATURES_TILES) || has & FEATURES_TILES)
		return (uint32_t)borrowed->state_bytes;
	*features &= ~FEATURES_TILES;
	for (unsigned i = 2; i < 63; i++)
		if (*features >> i & 1 && __get_cpuid_count(0xd, i, &size, &offset, &c, &d) && offset + size > bytes &&
			offset + size <= borrowed->state_bytes)
			bytes = offset + size;
	return bytes;
}

/* Below top: an address to return to, and behind it what makes the thread what it was. Sets the stack pointer for that. */
static bool write_returning(const struct borrowed *borrowed, uint64_t top, uint64_t return_to, uint64_t *pointer)
{
	uint64_t features;
	uint32_t size = find_returned_bytes(borrowed, &features), last = STATE_MAGIC_2;
	uint32_t software[5] = {STATE_MAGIC_1, size + 4, (uint32_t)features, (uint32_t)(features >> 32), size};
	uint64_t state = (top - size - sizeof last) & ~UINT64_C(63);
	uint64_t frame = (state - sizeof(struct returning)) & ~UINT64_C(15);
	struct returning returning;

	fill_returning(borrowed, &returning, state);
	*pointer = frame - sizeof return_to;
	return remote_write(borrowed->pid, state, borrowed->state, size) &&
	       remote_write(borrowed->pid, state + STATE_SOFTWARE, software, sizeof software) &&
	       remote_write(borrowed->pid, state + size, &last, sizeof last) &&
	       remote_write(borrowed->pid, frame, &returning, sizeof returning) &&
	       remote_write(borrowed->pid, *pointer, &return_to, sizeof return_to);
}

/* From here on it may find itself without a tracer behind a system call: it returns to what it was. Only on what is a stack, which none of
 * another thread's data lies below. */
static bool begin_calls(struct borrowed *borrowed)
{
	uint64_t top = borrowed->registers.rsp - RED_ZONE_BYTES;

	borrowed->pointer = 0;
	borrowed->under_bytes = borrowed->state_bytes + FRAME_BYTES_MAX;
	borrowed->low = top - borrowed->under_bytes;
	if (remote_find_stack_room(borrowed->pid, top, borrowed->registers.fs_base) < borrowed->under_bytes &&
		!is_way_back(borrowed, remote_find_end(borrowed->pid, top)))
		return true;
	return remote_read(borrowed->pid, borrowed->low, borrowed->under, borrowed->under_bytes) &&
	       write_returning(borrowed, top, borrowed->restorer, &borrowed->pointer);
}

/* It goes on elsewhere. */
static void end_calls(struct borrowed *borrowed)
{
	if (borrowed->pointer)
		remote_write(borrowed->pid, borrowed->low, borrowed->under, borrowed->under_bytes);
	borrowed->pointer = 0;
}

static bool block_signals(const struct borrowed *borrowed)
{
	const uint64_t mask = ~(UINT64_C(1) << (SIGTRAP - 1) | UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGBUS - 1));

	return ptrace(PTRACE_SETSIGMASK, borrowed->tid, sizeof mask, &mask) == 0;
}

/* A system call of the thread, between begin_calls and end_calls. False: it has ended. */
static bool make_call(struct borrowed *borrowed, long number, const uint64_t arguments[6], uint64_t *result)
{
	struct user_regs_struct registers = borrowed->registers;

	registers.rip = borrowed->calls_system;
	if (borrowed->pointer)
		registers.rsp = borrowed->pointer;
	registers.rax = (uint64_t)number;
	registers.orig_rax = (uint64_t)-1; /* its own is not begun again now */
	registers.rdi = arguments[0];
	registers.rsi = arguments[1];
	registers.rdx = arguments[2];
	registers.r10 = arguments[3];
	registers.r8 = arguments[4];
	registers.r9 = arguments[5];
	/* No signal comes in between; and where it would return to has its mask. */
	if (ptrace(PTRACE_SETREGS, borrowed->tid, 0, &registers) < 0 || !block_signals(borrowed) || !go_to_call(borrowed) ||
		!go_to_call(borrowed) || ptrace(PTRACE_GETREGS, borrowed->tid, 0, &registers) < 0)
		return false;
	*result = registers.rax;
	return registers.rip == borrowed->calls_system + CALL_BYTES;
}

/* Everything on the stack of the call: what the thread was, and the text. */
static bool fill_stack(struct borrowed *borrowed, const char *text, struct user_regs_struct *registers)
{
	size_t text_bytes = text ? strlen(text) + 1 : 0;
	uint64_t end = borrowed->stack + STACK_BYTES, pointer;
	const struct back back = {.patience = {PATIENCE_BACK_S, 0}};
	bool good;

	registers->rbx = end - sizeof back;
	registers->rdi = (registers->rbx - text_bytes) & ~UINT64_C(15);
	good = write_returning(borrowed, registers->rdi, end, &pointer);
	registers->rsp = pointer;
	return good && remote_write(borrowed->pid, end, coming_back, sizeof coming_back) &&
	       remote_write(borrowed->pid, registers->rbx, &back, sizeof back) &&
	       (!text_bytes || remote_write(borrowed->pid, registers->rdi, text, text_bytes));
}

/* What it has now is what it gets back. */
static bool remember(struct borrowed *borrowed)
{
	return ptrace(PTRACE_GETREGS, borrowed->tid, 0, &borrowed->registers) == 0 &&
	       ptrace(PTRACE_GETSIGMASK, borrowed->tid, sizeof borrowed->mask, &borrowed->mask) == 0 && read_state(borrowed);
}

/* It has come back: it is stopped while it waits for that. Or it waited for too long, and has gone on. */
static enum remote_problem stop_again(struct borrowed *borrowed)
{
	struct user_regs_struct registers;
	uint64_t code = borrowed->stack + STACK_BYTES;
	int signal, event;

	do {
		if (ptrace(PTRACE_INTERRUPT, borrowed->tid, 0, 0) < 0 || !remote_wait(borrowed->tid, &signal, &event) ||
			ptrace(PTRACE_GETREGS, borrowed->tid, 0, &registers) < 0)
			return REMOTE_GONE;
		if (!event && signal != SIGTRAP)
			borrowed->signal = signal;
		if (registers.rip - code < sizeof coming_back)
			return REMOTE_DONE;
	} while (!remember(borrowed));
	return REMOTE_DONE;
}

static enum remote_problem wait_for_return(
	struct borrowed *borrowed, uint64_t back, void (*meanwhile)(void *context), void *context)
{
	time_t began = time(NULL);
	uint32_t done = 0;

	while (!done) {
		int signal, event;

		if (remote_stopped(borrowed->tid, &signal, &event)) {
			/* All that can be blocked is. What cannot be is the program's own affair. */
			ptrace(PTRACE_CONT, borrowed->tid, 0, event ? 0 : signal);
			continue;
		}
		if (!remote_read(borrowed->pid, back, &done, sizeof done) || (!done && !remote_exists(borrowed->tid)))
			return REMOTE_GONE;
		if (time(NULL) - began > PATIENCE_CALL_S)
			return REMOTE_BUSY; /* it comes back by itself */
		if (meanwhile)
			meanwhile(context);
		if (!done)
			remote_pause_us(100);
	}
	return stop_again(borrowed);
}

static enum remote_problem call(struct borrowed *borrowed, uint64_t function, const char *text, uint64_t number,
	void (*meanwhile)(void *context), void *context)
{
	struct user_regs_struct registers = borrowed->registers;

	if (!fill_stack(borrowed, text, &registers))
		return REMOTE_GONE;
	registers.rsi = number;
	registers.rip = function;
	registers.rax = 0;
	registers.orig_rax = (uint64_t)-1;
	registers.eflags &= ~(uint64_t)DIRECTION_FLAG;
	if (ptrace(PTRACE_SETREGS, borrowed->tid, 0, &registers) < 0)
		return REMOTE_GONE;
	end_calls(borrowed);
	if (ptrace(PTRACE_CONT, borrowed->tid, 0, 0) < 0)
		return REMOTE_GONE;
	return wait_for_return(borrowed, registers.rbx, meanwhile, context);
}

/* One mapping, of which the last page is code. */
static enum remote_problem begin_stack(struct borrowed *borrowed)
{
	uint64_t arguments[6] = {0, ALL_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, UINT64_MAX, 0}, address, result;

	if (!make_call(borrowed, SYS_mmap, arguments, &address))
		return REMOTE_GONE;
	errno = address >= (uint64_t)-4095ll ? (int)-address : 0;
	if (errno)
		return REMOTE_NO_ROOM;
	borrowed->stack = address;
	arguments[0] = address;
	arguments[1] = STACK_BYTES;
	arguments[2] = PROT_READ | PROT_WRITE;
	if (!make_call(borrowed, SYS_mprotect, arguments, &result))
		return REMOTE_GONE;
	errno = (int)-result;
	return errno ? REMOTE_NO_ROOM : REMOTE_DONE;
}

/* It goes on as if nothing had been. */
static void give_back(struct borrowed *borrowed)
{
	struct iovec state = {borrowed->state, borrowed->state_bytes};
	const uint64_t arguments[6] = {borrowed->stack, ALL_BYTES};
	uint64_t result;

	if (borrowed->stack && (borrowed->pointer || begin_calls(borrowed)))
		make_call(borrowed, SYS_munmap, arguments, &result);
	ptrace(PTRACE_SETREGSET, borrowed->tid, NT_X86_XSTATE, &state);
	ptrace(PTRACE_SETSIGMASK, borrowed->tid, sizeof borrowed->mask, &borrowed->mask);
	ptrace(PTRACE_SETREGS, borrowed->tid, 0, &borrowed->registers);
	end_calls(borrowed);
	remote_let_go(borrowed->tid, borrowed->signal);
}

enum remote_problem remote_call(pid_t pid, enum remote_from from, uint64_t function, const char *text, uint64_t number,
	void (*meanwhile)(void *context), void *context)
{
	static struct borrowed borrowed;
	enum remote_problem problem;
	int error;

	borrowed = (struct borrowed){.pid = pid,
		.restorer = remote_find_code(pid, "libc", restorer, sizeof restorer),
		.calls_system = remote_find_code(pid, "libc", calls_system, sizeof calls_system)};
	if (!function || !borrowed.restorer || !borrowed.calls_system)
		return REMOTE_FOREIGN;
	if (remote_has_shadow_stack(pid))
		return REMOTE_SHADOW;
	problem = borrow(&borrowed, from);
	if (problem != REMOTE_DONE)
		return problem;
	if (!read_state(&borrowed) || !begin_calls(&borrowed)) {
		remote_let_go(borrowed.tid, borrowed.signal);
		return REMOTE_GONE;
	}
	problem = begin_stack(&borrowed);
	error = errno;
	if (problem == REMOTE_DONE)
		problem = call(&borrowed, function, text, number, meanwhile, context);
	if (problem == REMOTE_DONE || problem == REMOTE_NO_ROOM)
		give_back(&borrowed);
	errno = error;
	return problem;
}

#else

enum remote_problem remote_call(pid_t pid, enum remote_from from, uint64_t function, const char *text, uint64_t number,
	void (*meanwhile)(void *context), void *context)
{
	(void)pid;
	(void)from;
	(void)function;
	(void)text;
	(void)number;
	(void)meanwhile;
	(void)context;
	return REMOTE_FOREIGN;
}

#endif
