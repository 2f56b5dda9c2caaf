/* Says with whose rights it runs and whether it has a session in its environment, calls a function a thousand times, and becomes
 * its argument, if it has one: with those rights for good, so that the kernel sees nothing special in it any more. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned long sum;

__attribute__((noinline)) void work(void)
{
	sum++;
}

int main(int argc, char **argv)
{
	for (int i = 0; i < 1000; i++)
		work();
	printf("%ld as %ld, %s\n", (long)getuid(), (long)geteuid(), getenv("DWELL_SESSION") ? "session" : "none");
	fflush(stdout);
	if (argc < 2)
		return 0;
	if (setregid(getegid(), getegid()) < 0 || setreuid(geteuid(), geteuid()) < 0)
		return 3;
	execv(argv[1], argv + 1);
	return 2;
}
