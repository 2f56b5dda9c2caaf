/* Whether all wait: of a child whose threads do what they are told. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "sample/waiting.h"

#define THREADS 3

/* Shared with the child: which of its threads are to be busy. */
static volatile int *busy;

static void *work(void *context)
{
	volatile int *mine = context;

	for (;;)
		if (!*mine)
			usleep(10000);
	return NULL;
}

static void *wait_for_ever(void *context)
{
	for (;;)
		pause();
	return context;
}

static uint32_t start(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		for (int i = 0; i < THREADS; i++) {
			pthread_t thread;

			pthread_create(&thread, NULL, i ? wait_for_ever : work, (void *)&busy[i]);
		}
		wait_for_ever(NULL);
	}
	return (uint32_t)pid;
}

/* How often it is so, of a hundred times. */
static int count(struct waiting *waiting, uint32_t pid)
{
	const struct timespec pause = {0, 2000000};
	int all = 0;

	for (int i = 0; i < 100; i++) {
		all += waiting_all(waiting, &pid, 1);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	return all;
}

TEST(busy_and_not)
{
	struct waiting waiting = {0};
	uint32_t pid;
	int often;

	busy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid = start();
	usleep(50000);
	for (int round = 0; round < 2; round++) {
		busy[0] = 1;
		usleep(40000);
		often = count(&waiting, pid);
		CHECK_EQ(often, 0);
		busy[0] = 0;
		usleep(40000);
		often = count(&waiting, pid); /* it looks now and then whether it is to be busy */
		CHECK(often > 60);
	}
	kill((pid_t)pid, SIGKILL);
	waitpid((pid_t)pid, NULL, 0);
	CHECK(!waiting_all(&waiting, &pid, 1)); /* nobody is no one who waits */
	CHECK(!waiting_all(&waiting, &pid, 0));
}

int main(void)
{
	RUN(busy_and_not);
	return tap_done();
}
