/* Whether all wait: of a child whose threads do what they are told. */
/* Measures time: run once more, alone, if it fails beside others (test/run). */
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
		for (int try = 0; try < 1000 && waiting_all(&waiting, &pid, 1); try++) /* until it has looked */
			usleep(10000);
		often = count(&waiting, pid);
		CHECK_EQ(often, 0);
		busy[0] = 0;
		/* It looks now and then whether it is to be busy, and may have to wait for a processor then. */
		often = 0;
		for (int try = 0; try < 50 && often <= 60; try++)
			often = count(&waiting, pid);
		CHECK(often > 60);
	}
	kill((pid_t)pid, SIGKILL);
	waitpid((pid_t)pid, NULL, 0);
	CHECK(!waiting_all(&waiting, &pid, 1)); /* nobody is no one who waits */
	CHECK(!waiting_all(&waiting, &pid, 0));
}

/* What the child says of itself. */
struct bursts {
	volatile uint64_t number; /* odd: it works */
};

static uint64_t cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

__attribute__((noipa)) static void spin(long loops)
{
	for (volatile long i = 0; i < loops; i++)
		;
}

/* Works a millisecond and sleeps one, again and again, beside others that sleep. Who asks for his CPU time has it counted by that. */
static void sleep_shortly(struct bursts *bursts, int others)
{
	uint64_t begin = cpu_ns();
	long loops = 1000000;

	spin(loops);
	loops = (long)(1e6 * (double)loops / (double)(cpu_ns() - begin));
	for (int i = 0; i < others; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, wait_for_ever, NULL);
	}
	for (;;) {
		bursts->number++;
		spin(loops);
		bursts->number++;
		usleep(1000);
	}
}

/* The system counts CPU time in its tick, or when a thread leaves its processor: it works for less between two sleeps. Who is asked while
 * it works, from before to behind, has to know; and now and then it sleeps. */
TEST(works_for_less_than_a_tick)
{
	struct bursts *bursts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const struct timespec pause = {0, 310000};

	for (int others = 0; others <= 40; others += 40) {
		struct waiting waiting = {0};
		int worked = 0, wrong = 0, all = 0;
		pid_t pid = fork();
		uint32_t asked = (uint32_t)pid;

		if (pid == 0)
			sleep_shortly(bursts, others);
		for (int look = 0; look < 20000 && (worked < 200 || !all); look++) {
			uint64_t before = bursts->number;
			bool waits = waiting_all(&waiting, &asked, 1);

			if (before % 2 && before == bursts->number) {
				worked++;
				wrong += waits;
			}
			all += waits;
			clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		}
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		CHECK(worked >= 200 && all > 0);
		CHECK_EQ(wrong, 0);
		bursts->number = 0;
	}
}

/* Each thread but the busy one has come to where it waits, for ever. Until then it is ready, too, to begin, and so is the one that starts
 * the others: on a busy machine that takes as long as it likes. */
static bool only_one_is_ready(uint32_t pid)
{
	struct waiting_thread ready[4];
	bool wait = false;

	return waiting_find_ready(&pid, 1, ready, 4, &wait) == 1 && ready[0].pid == pid && ready[0].tid != pid && wait;
}

/* Who does not wait, and whether others do. */
TEST(who_is_ready)
{
	struct waiting_thread ready[4];
	bool wait = false;
	uint32_t pid;
	int often = 0;

	busy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid = start();
	busy[0] = 1;
	for (int try = 0; try < 6000 && !only_one_is_ready(pid); try++)
		usleep(10000);
	for (int look = 0; look < 100; look++)
		often += only_one_is_ready(pid);
	CHECK_EQ(often, 100);
	CHECK_EQ(waiting_find_ready(&pid, 1, ready, 0, &wait), 0);
	kill((pid_t)pid, SIGKILL);
	waitpid((pid_t)pid, NULL, 0);
	CHECK_EQ(waiting_find_ready(&pid, 1, ready, 4, &wait), 0);
	CHECK(!wait);
}

int main(void)
{
	RUN(busy_and_not);
	RUN(works_for_less_than_a_tick);
	RUN(who_is_ready);
	return tap_done();
}
