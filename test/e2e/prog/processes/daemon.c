/* A program that makes itself a daemon, as they do: forks twice, has a session of its own, goes to another folder and closes every
 * file descriptor, those that it did not open, too. All three make calls; the last tells how many all of them made.
 *
 *     daemon own FILE    by its own hands      daemon libc FILE    by daemon(3), which forks once, and then closing everything */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "../count.h"

static volatile unsigned sink;

static void leaf(void)
{
	CALLED();
	sink++;
}

static void work(void)
{
	CALLED();
	for (int i = 0; i < 20000; i++)
		leaf();
}

static void *on_thread(void *unused)
{
	CALLED();
	work();
	return unused;
}

/* The entry into main was the first one's: nobody leaves it. */
UNHOOKED static void fork_away(void)
{
	pid_t child = fork();

	if (child < 0)
		_exit(99);
	if (child)
		_exit(4);
}

UNHOOKED static void close_all(void)
{
	for (int fd = 0; fd < 4096; fd++)
		close(fd);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	CALLED();
	if (argc < 3)
		return 1;
	work();
	if (!strcmp(argv[1], "libc")) {
		pid_t before = getpid();

		if (daemon(0, 0) || getpid() == before)
			_exit(99);
	} else {
		fork_away();
		work();
		setsid();
		fork_away();
		umask(0);
		if (chdir("/"))
			_exit(99);
	}
	close_all();
	work();
	usleep(300000);
	if (pthread_create(&thread, NULL, on_thread, NULL) || pthread_join(thread, NULL))
		_exit(99);
	work();
	if (open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600) != 0 || dup(0) != 1)
		_exit(99);
	count_print();
	_exit(0);
}
