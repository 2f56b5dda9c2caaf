/* Threads that call without a pause, and for whom each of the agent's steps takes long: stretched MILLISECONDS [switch]. A system
 * call with which it joins a session lasts 30 ms; those with which it changes code wait for each other, and return together. So
 * what other threads may do between two steps, they do. switch: they turn recording on and off all the time. Exits with 77 where
 * the system does not allow it. */
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../count.h"

#define THREADS 4

static atomic_bool ends;
static atomic_int listener;
static void (*start)(void), (*stop)(void);

static __attribute__((noinline)) void leaf(void)
{
	CALLED();
}
static __attribute__((noinline)) void work(void)
{
	CALLED();
	for (int i = 0; i < 10; i++)
		leaf();
}
UNHOOKED static void pause_ns(long ns)
{
	nanosleep(&(struct timespec){ns / 1000000000, ns % 1000000000}, NULL);
}
UNHOOKED static void *works(void *unused)
{
	while (!ends)
		work();
	return unused;
}
UNHOOKED static void *switches(void *unused)
{
	while (!ends) {
		stop();
		work();
		start();
		work();
	}
	return unused;
}
UNHOOKED static bool waits(int fd)
{
	return poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 0) > 0;
}
/* Was there before the filter, and is not subject to it. */
UNHOOKED static void *stretches(void *unused)
{
	int fd;

	while (!(fd = listener))
		pause_ns(1000000);
	for (;;) {
		struct seccomp_notif_resp answers[THREADS + 1];
		unsigned count = 0;

		do {
			struct seccomp_notif call = {0};

			if (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0)
				continue;
			answers[count++] = (struct seccomp_notif_resp){.id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
			pause_ns(call.data.nr == __NR_readlinkat ? 30000000 : 50000);
		} while (count <= THREADS && waits(fd));
		for (unsigned i = 0; i < count; i++)
			ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &answers[i]);
	}
	return unused;
}
UNHOOKED static bool stretch(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_readlinkat, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof code / sizeof *code, code};
	pthread_t thread;
	long fd;

	if (pthread_create(&thread, NULL, stretches, NULL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return false;
	fd = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	listener = fd > 0 ? (int)fd : 0;
	return fd > 0;
}
UNHOOKED int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	bool switching = argc > 2;

	*(void **)&start = dlsym(RTLD_DEFAULT, "dwell_start");
	*(void **)&stop = dlsym(RTLD_DEFAULT, "dwell_stop");
	if (switching && (!start || !stop))
		return 2;
	if (!stretch())
		return 77;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, switching ? switches : works, NULL))
			return 2;
	pause_ns(argc > 1 ? atol(argv[1]) * 1000000 : 0);
	ends = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}
