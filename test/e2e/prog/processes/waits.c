/* Fifty threads that wait in all kinds of system calls, and one that works: waits MILLISECONDS. None of them may see that somebody
 * attached: no call may be interrupted, none may return early. Prints "bad WHAT ERRNO" for each that did, then its counts. */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>

#include "../count.h"

#define EACH 4

static atomic_int word; /* of the futex */
static int pipe_ends[2], never[2], epoll, events, notify, queue, semaphores, listener;
static long wait_ms;
static volatile unsigned sink;

UNHOOKED static long now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void woke(void)
{
	CALLED();
	sink++;
}

/* result: of a call that should have come back with what it waited for. */
UNHOOKED static void judge(const char *what, long result)
{
	if (result < 0)
		count_line("bad", what, (unsigned long)errno);
	woke();
}

UNHOOKED static void judge_time(const char *what, long result, long began)
{
	if (now_ms() - began < wait_ms - 5)
		count_line("bad", what, (unsigned long)(now_ms() - began));
	judge(what, result);
}

#define THREAD(name) UNHOOKED static void *name(void *argument)

THREAD(sleeps)
{
	struct timespec time = {wait_ms / 1000, wait_ms % 1000 * 1000000};

	long began = now_ms();

	judge_time("nanosleep", nanosleep(&time, 0), began);
	return argument;
}
THREAD(reads)
{
	char byte;

	judge("read", read(pipe_ends[0], &byte, 1));
	return argument;
}
THREAD(waits_for_futex)
{
	judge("futex", syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0));
	return argument;
}
THREAD(waits_for_futex_with_timeout)
{
	struct timespec time = {wait_ms / 1000, wait_ms % 1000 * 1000000};
	static int other;
	long began = now_ms(), result = syscall(SYS_futex, &other, FUTEX_WAIT_PRIVATE, 0, &time, 0, 0);

	judge_time("futex with a timeout", result < 0 && errno == ETIMEDOUT ? 0 : -1, began);
	return argument;
}
THREAD(waits_for_epoll)
{
	struct epoll_event event;
	long began = now_ms();

	judge_time("epoll_wait", epoll_wait(epoll, &event, 1, (int)wait_ms), began);
	return argument;
}
THREAD(polls)
{
	struct pollfd file = {never[0], POLLIN, 0};
	long began = now_ms();

	judge_time("poll", poll(&file, 1, (int)wait_ms), began);
	return argument;
}
THREAD(selects)
{
	struct timeval time = {wait_ms / 1000, wait_ms % 1000 * 1000};
	long began = now_ms();
	fd_set set;

	FD_ZERO(&set);
	FD_SET(never[0], &set);
	judge_time("select", select(never[0] + 1, &set, 0, 0, &time), began);
	return argument;
}
THREAD(accepts)
{
	judge("accept", accept(listener, 0, 0));
	return argument;
}
THREAD(reads_events)
{
	uint64_t value;

	judge("read of an eventfd", read(events, &value, sizeof value));
	return argument;
}
THREAD(waits_for_signal)
{
	struct timespec time = {wait_ms / 1000, wait_ms % 1000 * 1000000};
	long began = now_ms(), result;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	result = sigtimedwait(&set, 0, &time);
	judge_time("sigtimedwait", result < 0 && errno == EAGAIN ? 0 : -1, began);
	return argument;
}
THREAD(receives)
{
	struct {
		long type;
		char text[8];
	} message;

	judge("msgrcv", msgrcv(queue, &message, sizeof message.text, 0, 0));
	return argument;
}
THREAD(waits_for_semaphore)
{
	struct sembuf take = {0, -1, 0};

	judge("semop", semop(semaphores, &take, 1));
	return argument;
}
THREAD(reads_notifications)
{
	char buffer[48]; /* one file's name, and not what the others wait for */

	judge("read of inotify", read(notify, buffer, sizeof buffer));
	return argument;
}

static void leaf(void)
{
	CALLED();
	sink++;
}

static void work(void)
{
	CALLED();
	for (int i = 0; i < 10; i++)
		leaf();
}

UNHOOKED static void make(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "waits.socket"};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	if (pipe(pipe_ends) || pipe(never))
		_exit(3);
	epoll = epoll_create1(0);
	events = eventfd(0, EFD_SEMAPHORE);
	notify = inotify_init1(0);
	mkdir("waits.folder", 0700); /* others make files in this one */
	inotify_add_watch(notify, "waits.folder", IN_CREATE);
	queue = msgget(IPC_PRIVATE, 0600);
	semaphores = semget(IPC_PRIVATE, 1, 0600);
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	unlink(address.sun_path);
	if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4 * EACH))
		_exit(4);
}

/* Gives those that wait without a limit what they wait for. */
UNHOOKED static void release(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "waits.socket"};
	struct {
		long type;
		char text[8];
	} message = {1, "x"};
	struct sembuf give = {0, 1, 0};
	uint64_t one = 1;

	for (int i = 0; i < 2 * EACH; i++) {
		int client = socket(AF_UNIX, SOCK_STREAM, 0);
		char name[32];

		if (write(pipe_ends[1], "x", 1) < 0 || write(events, &one, sizeof one) < 0 ||
			connect(client, (struct sockaddr *)&address, sizeof address))
			_exit(5);
		msgsnd(queue, &message, sizeof message.text, 0);
		semop(semaphores, &give, 1);
		snprintf(name, sizeof name, "waits.folder/%d.%d", (int)getpid(), i);
		fclose(fopen(name, "w"));
	}
	word = 1;
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1000, 0, 0, 0);
}

UNHOOKED int main(int argc, char **argv)
{
	void *(*const kinds[])(void *) = {sleeps, reads, waits_for_futex, waits_for_futex_with_timeout, waits_for_epoll, polls,
		selects, accepts, reads_events, waits_for_signal, receives, waits_for_semaphore, reads_notifications};
	pthread_t threads[EACH * sizeof kinds / sizeof *kinds];
	unsigned count = 0;
	long end;

	wait_ms = argc > 1 ? atol(argv[1]) : 1000;
	make();
	for (unsigned i = 0; i < EACH; i++)
		for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
			pthread_create(&threads[count++], 0, kinds[k], 0);
	end = now_ms() + wait_ms;
	count_line("waiting", "threads", count);
	while (now_ms() < end)
		work();
	release();
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], 0);
	msgctl(queue, IPC_RMID, 0);
	semctl(semaphores, 0, IPC_RMID);
	count_print();
	return 0;
}
