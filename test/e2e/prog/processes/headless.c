/* headless: its main thread ends, and another one works on, until SIGTERM. WHOLE: it waits for that. */
#include <pthread.h>
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

static void *work(void *none)
{
	while (!ended) {
		for (unsigned i = 0; i < 1000; i++)
			step(i);
		usleep(100);
	}
	puts("fine");
	exit(0);
	return none;
}

int main(void)
{
	pthread_t thread;

	signal(SIGTERM, end);
	pthread_create(&thread, 0, work, 0);
#ifdef WHOLE
	pthread_join(thread, 0);
#endif
	pthread_exit(0);
}
