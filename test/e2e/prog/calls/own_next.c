/* Defines functions that the C library has, too, and that dwell stands in front of; each calls the next one, as libraries do that
 * are linked into a program to watch it. Prints how often each of them was called. With an argument, it goes on until its input
 * ends. */
#include <dlfcn.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int lists, jumps, polls, actions, names, threads;

#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

int dl_iterate_phdr(int (*each)(struct dl_phdr_info *, size_t, void *), void *data)
{
	lists++;
	return NEXT(dl_iterate_phdr)(each, data);
}

void siglongjmp(sigjmp_buf environment, int value)
{
	jumps++;
	NEXT(siglongjmp)(environment, value);
	__builtin_unreachable();
}

int poll(struct pollfd *files, nfds_t count, int timeout)
{
	polls++;
	return NEXT(poll)(files, count, timeout);
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	actions++;
	return NEXT(sigaction)(number, action, before);
}

int pthread_setname_np(pthread_t thread, const char *name)
{
	names++;
	return NEXT(pthread_setname_np)(thread, name);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
	threads++;
	return NEXT(pthread_create)(thread, attributes, function, argument);
}

static int count_file(struct dl_phdr_info *info, size_t bytes, void *data)
{
	(void)info;
	(void)bytes;
	++*(int *)data;
	return 0;
}

static sigjmp_buf back;

__attribute__((noinline)) static void jump(int value)
{
	siglongjmp(back, value);
}

static void *run(void *argument)
{
	pthread_setname_np(pthread_self(), "own");
	poll(NULL, 0, 1);
	return argument;
}

__attribute__((noinline)) static void turn(void)
{
	struct sigaction action = {.sa_handler = SIG_IGN};
	volatile int files = 0;
	pthread_t thread;

	dl_iterate_phdr(count_file, (void *)&files);
	if (!files)
		puts("no files");
	if (!sigsetjmp(back, 1))
		jump(1);
	sigaction(SIGUSR2, &action, NULL);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	struct pollfd input = {.fd = 0, .events = POLLIN};
	char byte;

	(void)argv;
	for (int i = 0; i < 10; i++)
		turn();
	while (argc > 1 && !(NEXT(poll)(&input, 1, 1) == 1 && read(0, &byte, 1) <= 0))
		turn();
	if (argc == 1)
		printf("%d lists, %d jumps, %d polls, %d actions, %d names, %d threads\n", lists, jumps, polls, actions, names, threads);
	return 4;
}
