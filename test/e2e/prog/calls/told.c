/* A program that does what it is told on standard input, a line each, and answers each with a line:
 *
 *     go N       every thread of it calls work N times, and work calls leaf 10 times
 *     busy       every thread of it but the main one calls work without a pause, until …
 *     rest       … they have all come to an end of it
 *     poke       calls poke once: not counted
 *     threads N  from now on N threads do it, beside the main one
 *     forget     counts start from 0 again
 *     counts     prints them, then "."
 *     on, off    dwell_start, dwell_stop
 *     mark TEXT  dwell_mark
 *     snapshot   dwell_snapshot
 *     fork N     a child calls work N times
 *     open FILE  loads a library and calls its function plugin, which calls step 7 times
 *     exec       becomes another program
 *     end        returns from main
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../count.h"

/* Of the agent, where there is one. */
__attribute__((weak)) void dwell_start(void);
__attribute__((weak)) void dwell_stop(void);
__attribute__((weak)) void dwell_mark(const char *text);
__attribute__((weak)) void dwell_snapshot(void);

#define THREADS_MAX 64

static __thread volatile unsigned sink;
static pthread_barrier_t begin, finished;
static volatile unsigned thread_count;
static volatile unsigned long wanted;

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

static void poke(void)
{
	sink++;
}

UNHOOKED static void *follow(void *argument)
{
	for (;;) {
		pthread_barrier_wait(&begin);
		for (unsigned long i = 0; i < wanted; i++)
			work();
		pthread_barrier_wait(&finished);
	}
	return argument;
}

UNHOOKED static void make_threads(unsigned count)
{
	pthread_t thread;

	pthread_barrier_init(&begin, 0, count + 1);
	pthread_barrier_init(&finished, 0, count + 1);
	for (unsigned i = 0; i < count && i < THREADS_MAX; i++)
		pthread_create(&thread, 0, follow, 0);
	thread_count = count;
}

UNHOOKED static void go(unsigned long calls)
{
	wanted = calls;
	if (thread_count)
		pthread_barrier_wait(&begin);
	for (unsigned long i = 0; i < calls; i++)
		work();
	if (thread_count)
		pthread_barrier_wait(&finished);
}

UNHOOKED static void busy(void)
{
	wanted = -1ul;
	pthread_barrier_wait(&begin);
}

UNHOOKED static void rest(void)
{
	wanted = 0;
	pthread_barrier_wait(&finished);
}

UNHOOKED static void forget(void)
{
	for (struct counter *counter = count_first; counter; counter = counter->next)
		counter->calls = 0, counter->linked = 1;
}

UNHOOKED static void make_child(unsigned long calls)
{
	pid_t child = fork();

	if (child == 0) {
		for (unsigned long i = 0; i < calls; i++)
			work();
		_exit(0);
	}
	waitpid(child, 0, 0);
}

UNHOOKED static void say_nothing(const char *name, unsigned long calls)
{
	(void)name;
	(void)calls;
}

UNHOOKED static void open_plugin(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	void (*plugin)(unsigned, void (*)(const char *, unsigned long)) = 0;

	if (library)
		*(void **)&plugin = dlsym(library, "plugin");
	if (plugin)
		plugin(7, say_nothing);
	else
		puts(dlerror());
}

UNHOOKED static void counts(void)
{
	fflush(stdout);
	for (struct counter *counter = count_first; counter; counter = counter->next)
		if (counter->calls)
			count_line("count", counter->name, counter->calls);
	puts(".");
}

UNHOOKED int main(void)
{
	char line[4096];

	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof line, stdin)) {
		char *value = strchr(line, ' ');

		line[strcspn(line, "\n")] = 0;
		value = value ? value + 1 : line + strlen(line);
		if (!strncmp(line, "go ", 3))
			go(strtoul(value, 0, 10));
		else if (!strcmp(line, "busy"))
			busy();
		else if (!strcmp(line, "rest"))
			rest();
		else if (!strcmp(line, "poke"))
			poke();
		else if (!strncmp(line, "threads ", 8))
			make_threads((unsigned)strtoul(value, 0, 10));
		else if (!strcmp(line, "forget"))
			forget();
		else if (!strcmp(line, "on") && dwell_start)
			dwell_start();
		else if (!strcmp(line, "off") && dwell_stop)
			dwell_stop();
		else if (!strncmp(line, "mark ", 5) && dwell_mark)
			dwell_mark(value);
		else if (!strcmp(line, "snapshot") && dwell_snapshot)
			dwell_snapshot();
		else if (!strncmp(line, "fork ", 5))
			make_child(strtoul(value, 0, 10));
		else if (!strncmp(line, "open ", 5))
			open_plugin(value);
		else if (!strcmp(line, "exec"))
			execl("/bin/sleep", "sleep", "2", (char *)0);
		else if (!strcmp(line, "end"))
			return 0;
		if (!strcmp(line, "counts"))
			counts();
		else
			puts("done");
		fflush(stdout);
	}
	return 0;
}
