/* gives_up HOW: makes 10 calls, forbids itself the clock or system calls, makes 10 more and ends with status 3. */
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) static void leaf(void)
{
	sink++;
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	for (int i = 0; i < 10; i++)
		leaf();
	if (!strcmp(how, "clock") || !strcmp(how, "exec"))
		prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
	if (!strcmp(how, "strict"))
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
	if (!strcmp(how, "seccomp"))
		syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL);
	if (!strcmp(how, "exec"))
		execl(argv[0], argv[0], "clock", (char *)NULL);
	for (int i = 0; i < 10000; i++)
		leaf();
	syscall(SYS_exit, 3);
}
