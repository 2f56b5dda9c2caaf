/* Calls functions, and is killed for most system calls from then on: confined [anyway]. By a filter of its own, with the name of
 * libseccomp's function in it; "anyway" makes a call that is forbidden. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile unsigned long sum;

__attribute__((noinline)) void work(void)
{
	sum++;
}

__attribute__((noinline)) int seccomp_load(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 1000; i++)
		work();
	if (seccomp_load())
		return 1;
	for (int i = 0; argc > 1 && i < 10000000; i++)
		work();
	_exit(0);
}
