/* Works, so that its timers run, and waits 30 ms in each of the ways that a handler ends, or may end: prints those that ended
 * before their time, and those that ended with EINTR. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MS 30

static struct timespec in(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_nsec += WAIT_MS * 1000000;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

static double now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

__attribute__((noinline)) static void work(void)
{
	for (volatile long i = 0; i < 10000000; i++)
		;
}

static int begun, wrong;

static void check(const char *name, double began_ms, int error)
{
	double took = now_ms() - began_ms;

	begun++;
	if (took < WAIT_MS - 0.5 || error == EINTR) {
		printf("%s: %.1f ms, errno %d\n", name, took, error);
		wrong++;
	}
}

#define TRY(name, call)                                                                                                            \
	{                                                                                                                          \
		double began_ms;                                                                                                   \
		work();                                                                                                            \
		began_ms = now_ms();                                                                                               \
		errno = 0;                                                                                                         \
		check(name, began_ms, (call) < 0 ? errno : 0);                                                                     \
	}

static void *writes(void *pipe_end)
{
	usleep(WAIT_MS * 1000 + 5000);
	return write(*(int *)pipe_end, "", 1) == 1 ? NULL : pipe_end;
}

static int wait_for_condition(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	struct timespec until = in(CLOCK_REALTIME);

	pthread_mutex_lock(&mutex);
	while ((errno = pthread_cond_timedwait(&condition, &mutex, &until)) == 0)
		;
	return -1;
}

static int wait_for_pipe(void)
{
	pthread_t thread;
	int ends[2], error;
	char byte;

	if (pipe(ends) || pthread_create(&thread, NULL, writes, &ends[1]))
		return -1;
	error = read(ends[0], &byte, 1) == 1 ? 0 : errno;
	pthread_join(thread, NULL);
	errno = error;
	return error ? -1 : 0;
}

static int wait_for_child(void)
{
	pid_t child = fork();

	if (!child) {
		usleep(WAIT_MS * 1000 + 5000);
		_exit(0);
	}
	return waitpid(child, NULL, 0);
}

int main(void)
{
	struct timespec time = {0, WAIT_MS * 1000000}, until;
	struct timeval select_time = {0, WAIT_MS * 1000};
	struct epoll_event event;
	sigset_t none, usr1, all;
	sem_t semaphore;
	int epoll = epoll_create1(0);

	sigemptyset(&none);
	sigfillset(&all);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sem_init(&semaphore, 0, 0);
	TRY("read", wait_for_pipe());
	TRY("nanosleep", nanosleep(&time, NULL));
	until = in(CLOCK_MONOTONIC);
	TRY("clock_nanosleep", -(errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL)));
	TRY("usleep", usleep(WAIT_MS * 1000));
	TRY("poll", poll(NULL, 0, WAIT_MS));
	TRY("ppoll", ppoll(NULL, 0, &time, NULL));
	TRY("ppoll with a mask", ppoll(NULL, 0, &time, &none));
	TRY("select", select(0, NULL, NULL, NULL, &select_time));
	TRY("pselect", pselect(0, NULL, NULL, NULL, &time, &none));
	TRY("epoll_wait", epoll_wait(epoll, &event, 1, WAIT_MS));
	TRY("epoll_pwait", epoll_pwait(epoll, &event, 1, WAIT_MS, &none));
	TRY("sem_timedwait", (until = in(CLOCK_REALTIME), sem_timedwait(&semaphore, &until)));
	TRY("sigtimedwait", sigtimedwait(&usr1, NULL, &time));
	TRY("sigtimedwait for all", sigtimedwait(&all, NULL, &time));
	TRY("pthread_cond_timedwait", wait_for_condition());
	TRY("waitpid", wait_for_child());
	printf("%d of %d\n", begun - wrong, begun);
	return 0;
}
