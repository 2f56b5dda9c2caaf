/* fork without libc's handlers: raw_fork HOW END CALLS. HOW: clone, SYS_fork, SYS_clone, SYS_clone3, or "instruction". END: how the
 * child ends, after so many calls. */
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned sink;
static int calls;
static char stack[1 << 16] __attribute__((aligned(16)));

__attribute__((noinline)) static void parent_leaf(void)
{
	sink++;
}

__attribute__((noinline)) static void child_leaf(void)
{
	sink++;
}

__attribute__((no_instrument_function)) static int run_child(void *argument)
{
	(void)argument;
	for (int i = 0; i < calls; i++)
		child_leaf();
	return 3;
}

#ifdef __x86_64__
__attribute__((no_instrument_function)) static long fork_here(void)
{
	long pid;

	__asm__ volatile("syscall" : "=a"(pid) : "a"(SYS_fork) : "rcx", "r11", "memory");
	return pid;
}
#else
#define fork_here() syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)
#endif

__attribute__((no_instrument_function)) static long begin_child(const char *how)
{
	struct clone_args args = {.exit_signal = SIGCHLD};

	if (!strcmp(how, "clone"))
		return clone(run_child, stack + sizeof stack, SIGCHLD, NULL);
#ifdef SYS_fork
	if (!strcmp(how, "SYS_fork"))
		return syscall(SYS_fork);
#endif
	if (!strcmp(how, "SYS_clone"))
		return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!strcmp(how, "SYS_clone3"))
		return syscall(SYS_clone3, &args, sizeof args);
	return fork_here();
}

__attribute__((no_instrument_function)) static void end_child(const char *how)
{
	if (!strcmp(how, "exit"))
		exit(3);
	if (!strcmp(how, "exec"))
		execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
	if (!strcmp(how, "_Exit"))
		_Exit(3);
	_exit(3);
}

int main(int argc, char **argv)
{
	int status;
	long pid;

	calls = argc > 3 ? atoi(argv[3]) : 0;
	for (int i = 0; i < 100; i++)
		parent_leaf();
	pid = begin_child(argv[1]);
	if (!pid) {
		run_child(NULL);
		end_child(argv[2]);
	}
	waitpid((pid_t)pid, &status, 0);
	for (int i = 0; i < 3000; i++)
		parent_leaf();
	return WEXITSTATUS(status);
}
