/* A program that leaves something behind: "now" nothing, "late" is it itself, after a while, "daemon" and "headless" a child, which
 * in the latter case goes on in its second thread; "forever" does not end. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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
	for (int i = 0; i < 1000; i++)
		leaf();
}

static void *late(void *argument)
{
	CALLED();
	usleep(700000);
	work();
	count_print();
	exit(argument != NULL);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "now";
	pthread_t thread;

	CALLED();
	if (!strcmp(how, "forever")) {
		char text[32];
		int length = snprintf(text, sizeof text, "pid %d\n", (int)getpid());

		for (work(); write(1, text, (size_t)length) == length;)
			pause();
	}
	if (!strcmp(how, "late")) {
		usleep(700000);
	} else if (strcmp(how, "now")) {
		work();
		if (fork())
			_exit(4);
	}
	if (!strcmp(how, "headless") && !pthread_create(&thread, NULL, late, NULL))
		pthread_exit(NULL);
	work();
	if (!strcmp(how, "daemon"))
		usleep(700000);
	count_print();
	_exit(0); /* the entry into main was the parent's: its exit would be another call */
}
