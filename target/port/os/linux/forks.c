/* SPDX-License-Identifier: MIT
 *
 * Interposes functions of libc that fork without the handlers of pthread_atfork. Without the wrappers, the child records into the
 * ring of its parent's thread, up to the child's first event on the slow path.
 *
 *   _Fork     fork without handlers
 *   clone     without CLONE_VM the child is a process with a copy of the memory; with CLONE_VM clone makes a thread or a vfork
 *   syscall   SYS_fork, SYS_clone and SYS_clone3; on x86-64, by port/cpu/x86_64/interpose.S, which calls forks_syscall for these
 *   _exit, _Exit  here a child that forked by an instruction of its own, and made few calls, is still unnoticed
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#define CLONE_VM 0x100

typedef int start_fn(void *argument);
typedef int clone_fn(start_fn *start, void *stack, int flags, void *argument, void *parent_tid, void *tls, void *child_tid);
typedef long syscall_fn(long number, long a, long b, long c, long d, long e, long f);

syscall_fn *forks_real_syscall HIDDEN;
static int (*real_fork)(void);
static clone_fn *real_clone;

void forks_find_syscall(void) HIDDEN;
syscall_fn forks_syscall HIDDEN;

/* Also from the wrapper of syscall, which a library may call before the agent has begun. */
void forks_find_syscall(void)
{
	forks_real_syscall = (syscall_fn *)unwind_find_real("syscall");
}

__attribute__((constructor(102))) static void find_forks(void)
{
	real_fork = (int (*)(void))unwind_find_real("_Fork");
	real_clone = (clone_fn *)unwind_find_real("clone");
	forks_find_syscall();
}

void forks_count(void)
{
	if (agent.session)
		__atomic_fetch_add(&agent.session->forks, 1, __ATOMIC_RELEASE);
}

/* In parent and child, with the result of the fork. */
static long end_fork(long pid)
{
	if (!pid)
		agent_begin_forked_child();
	return pid;
}

int INTERPOSED(_Fork)(void);
__attribute__((visibility("default"))) int INTERPOSED(_Fork)(void)
{
	forks_count();
	return (int)end_fork(real_fork ? real_fork() : -1);
}

/* A fork by number, with any arguments. The child has no stack of its own, so it returns here, too. */
long forks_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	forks_count();
	return end_fork(forks_real_syscall(number, a, b, c, d, e, f));
}

/* What a process made by clone begins with. The memory is the parent's frame, of which the child has a copy. */
struct begun_process {
	start_fn *start;
	void *argument;
};

static int begin_cloned(void *data)
{
	const struct begun_process *begun = data;

	agent_begin_forked_child();
	return begun->start(begun->argument);
}

/* Callers pass three to seven arguments; missing ones have any value, and libc ignores them. */
clone_fn INTERPOSED(clone);
__attribute__((visibility("default"))) int INTERPOSED(clone)(
	start_fn *start, void *stack, int flags, void *argument, void *parent_tid, void *tls, void *child_tid)
{
	struct begun_process begun = {start, argument};

	if (!real_clone)
		return -1;
	if (flags & CLONE_VM || !start)
		return real_clone(start, stack, flags, argument, parent_tid, tls, child_tid);
	forks_count();
	return real_clone(begin_cloned, stack, flags, &begun, parent_tid, tls, child_tid);
}

/* Does what libc's _exit does. */
static void __attribute__((noreturn)) end_process(int status)
{
	agent_notice_child();
	for (;;)
		system_call3(__NR_exit_group, status, 0, 0);
}

void INTERPOSED(_exit)(int status) __attribute__((noreturn));
__attribute__((visibility("default"))) void INTERPOSED(_exit)(int status)
{
	end_process(status);
}

void INTERPOSED(_Exit)(int status) __attribute__((noreturn));
__attribute__((visibility("default"))) void INTERPOSED(_Exit)(int status)
{
	end_process(status);
}
