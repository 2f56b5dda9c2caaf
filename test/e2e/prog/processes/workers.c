/* A server that has a new worker every 10 ms, as one for each client; of more than WORKERS_MAX the oldest has to go. All work until
 * they are told to end, however long whoever looks at them takes.
 *
 * workers     SIGUSR1: no more workers. SIGTERM: all end, and "fine", when all that they have worked out was right */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORKERS_MAX 60

static volatile sig_atomic_t is_over, is_complete;

static void on_signal(int number)
{
	*(number == SIGTERM ? &is_over : &is_complete) = 1;
}

__attribute__((noipa)) static unsigned step(unsigned n)
{
	return n * 3 + 1;
}

/* Works for ms, or until it is over. Returns whether all was right. */
__attribute__((noipa)) static int work(int ms)
{
	const struct timespec pause = {0, 5000000};
	int right = 1;

	for (int past = 0; past < ms && !is_over; past += 5) {
		for (unsigned i = 0; i < 100; i++)
			right &= step(i) == i * 3 + 1;
		nanosleep(&pause, NULL);
	}
	return right;
}

static int end(pid_t worker)
{
	int status;

	kill(worker, SIGTERM);
	return waitpid(worker, &status, 0) == worker && status == 0;
}

int main(void)
{
	pid_t workers[WORKERS_MAX] = {0};
	int right = 1;

	signal(SIGTERM, on_signal);
	signal(SIGUSR1, on_signal);
	for (int i = 0; !is_over; i = (i + 1) % WORKERS_MAX) {
		if (!is_complete) {
			if (workers[i])
				right &= end(workers[i]);
			workers[i] = fork();
			if (!workers[i])
				_exit(!work(60000));
		}
		right &= work(10);
	}
	for (int i = 0; i < WORKERS_MAX; i++)
		if (workers[i])
			right &= end(workers[i]);
	puts(right ? "fine" : "wrong");
	return 0;
}
