/* confines_itself SECONDS: forbids itself all system calls but a few (seccomp), works, and says that it is alive. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) static unsigned work(unsigned i)
{
	__asm__ volatile("" : "+r"(i));
	return i * 3;
}

#define ALLOW(number, skip) BPF_JUMP(BPF_JMP | BPF_JEQ, number, skip, 0)

int main(int argc, char **argv)
{
	struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)), ALLOW(SYS_write, 4),
		ALLOW(SYS_exit_group, 3), ALLOW(SYS_clock_nanosleep, 2), ALLOW(SYS_rt_sigreturn, 1),
		BPF_STMT(BPF_RET, SECCOMP_RET_KILL_PROCESS), BPF_STMT(BPF_RET, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
	struct timespec pause = {0, 1000000};
	int rounds = (argc > 1 ? atoi(argv[1]) : 1) * 1000;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 1;
	if (write(1, "confined\n", 9) != 9)
		return 1;
	while (rounds--) {
		for (unsigned i = 0; i < 1000; i++)
			work(i);
		nanosleep(&pause, 0);
	}
	syscall(SYS_exit_group, write(1, "alive\n", 6) != 6);
}
