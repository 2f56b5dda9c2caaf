/* Threads that are given their names when they run already, and one that is renamed by prctl, after many calls. */
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>

static volatile unsigned sink;

__attribute__((noinline)) static void leaf(void)
{
	sink++;
}

static void *run(void *argument)
{
	char name[16];

	leaf();
	snprintf(name, sizeof name, "worker%u", (unsigned)(size_t)argument);
	pthread_setname_np(pthread_self(), name);
	leaf();
	return NULL;
}

static void *late(void *argument)
{
	leaf();
	prctl(PR_SET_NAME, "the_last_name");
	for (int i = 0; i < 50000; i++)
		leaf();
	return argument;
}

int main(void)
{
	pthread_t thread;

	for (size_t i = 0; i < 50; i++)
		if (!pthread_create(&thread, NULL, run, (void *)i))
			pthread_join(thread, NULL);
	if (!pthread_create(&thread, NULL, late, NULL))
		pthread_join(thread, NULL);
	return 0;
}
