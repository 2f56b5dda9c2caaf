/* fork without libc: its handlers do not run. */
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) static void parent_leaf(void)
{
	sink++;
}

__attribute__((noinline)) static void child_leaf(void)
{
	sink++;
}

int main(void)
{
	long pid;

	for (int i = 0; i < 100; i++)
		parent_leaf();
	pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		for (int i = 0; i < 5000; i++)
			child_leaf();
		_exit(0);
	}
	waitpid((pid_t)pid, NULL, 0);
	for (int i = 0; i < 3000; i++)
		parent_leaf();
	return 0;
}
