/* remote_call_borrow: chooses and stops the thread that makes a call. */
#include "record/remote/remote_call_inner.h"

#ifdef __x86_64__

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "record/remote/remote_stack.h"
#include "util/clock.h"

#define PATIENCE_MS 5000
#define LOOK_AGAIN_NS 1000000000u
#define HASTE_NS 1500000000u /* look often at first: a thread may be at a fit place for 1 % of the time */
#define FUTEX_WAIT_UNTIL 9u /* FUTEX_WAIT_BITSET */
#define FUTEX_KIND 0x7fu
#define RSEQ_CS 8u /* in struct rseq */

/* Whether the thread waits in a system call, and holds no lock of the C library that a call needs. A futex
 * wait until an absolute time is for conditions, threads and semaphores; locks wait without a time. */
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

bool remote_is_in_sequence(const struct remote_image *image, pid_t tid, uint64_t place)
{
	struct __ptrace_rseq_configuration where;
	struct {
		uint32_t version, flags;
		uint64_t start, bytes, abort;
	} sequence;
	uint64_t address = 0;

	return ptrace(PTRACE_GET_RSEQ_CONFIGURATION, tid, sizeof where, &where) == sizeof where && where.rseq_abi_pointer &&
	       remote_read(image, where.rseq_abi_pointer + RSEQ_CS, &address, sizeof address) && address &&
	       remote_read(image, address, &sequence, sizeof sequence) && place - sequence.start < sequence.bytes;
}

/* Whether the thread is at a place where it may make a call. stacks: null: any place will do. *unknown: set if the stack has code
 * without known functions. */
static bool is_fit(struct remote_stacks *stacks, const struct user_regs_struct *registers, bool *unknown)
{
	bool in_call = (long)registers->orig_rax >= 0;

	return !stacks || ((!in_call || is_waiting(registers)) && remote_stack_holds_no_lock(stacks, registers, in_call, unknown));
}

bool remote_is_return_code(const struct borrowed *borrowed, uint64_t page)
{
	uint8_t code[128];

	return remote_read(borrowed->image, page, code, remote_return_code_bytes) &&
	       !memcmp(code, remote_return_code, remote_return_code_bytes);
}

/* If the thread has returned from the call of an earlier, killed dwell, and waits
 * for the earlier dwell, ends the wait. False: the thread does not wait in remote_return_code. */
static bool end_wait_for_tracer(struct borrowed *borrowed)
{
	uint64_t page = borrowed->registers.rip & ~(CODE_BYTES - 1);

	if (!remote_is_return_code(borrowed, page))
		return false;
	borrowed->registers.rip = page + remote_return_code_resume;
	borrowed->registers.orig_rax = (uint64_t)-1;
	ptrace(PTRACE_SETREGS, borrowed->tid, 0, &borrowed->registers);
	return true;
}

void remote_give_back_thread(struct borrowed *borrowed)
{
	remote_detach(borrowed->tid, borrowed->signal);
	remote_note_stop(borrowed->stopped_ns);
}

/* Stops the thread. REMOTE_BUSY: the thread may not make the call at the present place, and goes on. */
static enum remote_problem try_thread(struct borrowed *borrowed, struct remote_stacks *stacks, pid_t tid, bool *unknown)
{
	enum remote_problem problem = REMOTE_BUSY;

	if (remote_is_uninterruptible(tid))
		return REMOTE_BUSY;
	remote_rest();
	borrowed->stopped_ns = clock_now_ns();
	problem = remote_seize(borrowed->image->pid, tid, &borrowed->signal);
	if (problem != REMOTE_DONE) /* while another thread execs, the system returns odd errors */
		return remote_image_is_current(borrowed->image) ? problem : REMOTE_EXECED;
	borrowed->tid = tid;
	/* No thread can exec now without ending the stopped thread. */
	if (!remote_image_is_current(borrowed->image))
		problem = REMOTE_EXECED;
	else if (borrowed->signal || ptrace(PTRACE_GETREGS, tid, 0, &borrowed->registers) < 0 || end_wait_for_tracer(borrowed) ||
		 remote_is_in_sequence(borrowed->image, tid, borrowed->registers.rip) ||
		 !is_fit(stacks, &borrowed->registers, unknown) ||
		 ptrace(PTRACE_GETSIGMASK, tid, sizeof borrowed->mask, &borrowed->mask) < 0)
		problem = REMOTE_BUSY;
	if (problem != REMOTE_DONE)
		remote_give_back_thread(borrowed);
	return problem;
}

/* Tries all threads in turn. REMOTE_BUSY: no thread is fit. */
static enum remote_problem try_threads(struct borrowed *borrowed, struct remote_stacks *stacks, bool *unknown)
{
	enum remote_problem problem = REMOTE_BUSY;
	struct dirent *entry;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)borrowed->image->pid);
	folder = opendir(path);
	if (!folder)
		return REMOTE_ENDED;
	while ((problem == REMOTE_BUSY || problem == REMOTE_ENDED) && (entry = readdir(folder)))
		if (*entry->d_name != '.')
			problem = try_thread(borrowed, stacks, (pid_t)strtol(entry->d_name, NULL, 10), unknown);
	closedir(folder);
	return problem == REMOTE_ENDED ? REMOTE_BUSY : problem;
}

/* Tries again until a thread is fit, for PATIENCE_MS at most. */
enum remote_problem remote_borrow_thread(struct borrowed *borrowed, enum remote_from from, const struct remote_meanwhile *meanwhile)
{
	uint64_t began = clock_now_ns(), looked = 0;
	enum remote_problem problem = REMOTE_BUSY;
	struct remote_stacks *stacks = NULL;
	bool unknown = false;

	while ((problem == REMOTE_BUSY || problem == REMOTE_UNINTERRUPTIBLE) && clock_now_ns() - began < PATIENCE_MS * 1000000ull) {
		if (looked && meanwhile->act)
			meanwhile->act(meanwhile->context);
		if (looked)
			remote_pause_us(clock_now_ns() - began < HASTE_NS ? 200 : 1000);
		if (!looked || clock_now_ns() - looked > LOOK_AGAIN_NS) {
			/* The process may have new libraries and threads. */
			remote_image_read_maps(borrowed->image);
			free_remote_stacks(stacks);
			stacks = from == REMOTE_WITHOUT_LOCKS ? make_remote_stacks(borrowed->image) : NULL;
			if (from == REMOTE_WITHOUT_LOCKS && !stacks)
				return borrowed->image->map_count ? REMOTE_NO_ROOM : REMOTE_ENDED;
			looked = clock_now_ns();
			unknown = false;
		}
		problem = remote_exists(remote_live_thread(borrowed->image->pid)) ? try_threads(borrowed, stacks, &unknown)
										  : REMOTE_ENDED;
	}
	free_remote_stacks(stacks);
	return problem == REMOTE_BUSY && unknown ? REMOTE_UNKNOWN : problem;
}

#endif
