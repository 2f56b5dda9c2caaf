/* drops USER: until SIGTERM. Gives up root for the user with that number, as servers do, which makes it a process that this user
 * may not look into; and works. */
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static void end(int signal)
{
	ended = signal;
}

__attribute__((noipa)) static unsigned step(unsigned i)
{
	for (int n = 0; n < 3; n++)
		__asm__ volatile("" : "+r"(i));
	return i * 3;
}

__attribute__((noipa)) static void work(void)
{
	for (unsigned i = 0; i < 1000; i++)
		step(i);
	usleep(100);
}

int main(int argc, char **argv)
{
	unsigned user = argc > 1 ? (unsigned)atoi(argv[1]) : 65534;

	signal(SIGTERM, end);
	if (setgroups(0, 0) || setgid(user) || setuid(user))
		return 1;
	while (!ended)
		work();
	puts("fine");
	return 0;
}
