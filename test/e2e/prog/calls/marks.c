/* A program that says what it does: marks between calls, in threads, from a signal handler, behind a longjmp. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include "../count.h"
#include "dwell/dwell.h"

static volatile unsigned sink;
static jmp_buf back;

static void leaf(void)
{
	CALLED();
	sink++;
}

static void deep(int frames)
{
	CALLED();
	if (!frames)
		longjmp(back, 1);
	deep(frames - 1);
	sink++;
}

static void jumps(void)
{
	CALLED();
	if (!setjmp(back))
		deep(5);
	CALLED_AS("mark: landed");
	dwell_mark("landed");
	leaf();
}

static void on_signal(int number)
{
	(void)number;
	CALLED();
	CALLED_AS("mark: in a handler");
	dwell_mark("in a handler");
}

static void rounds(void)
{
	char text[32];

	CALLED();
	for (int i = 0; i < 300; i++) {
		snprintf(text, sizeof text, "round %d", i % 3);
		dwell_mark(text); /* the content counts, not where it is */
		leaf();
	}
	CALLED_AS("mark: once, and \"quoted\", \xc3\xa4");
	dwell_mark("once, and \"quoted\", \xc3\xa4");
}

static void *thread(void *argument)
{
	CALLED();
	for (int i = 0; i < 1000; i++) {
		CALLED_AS("mark: thread");
		dwell_mark("thread");
		leaf();
	}
	return argument;
}

int main(void)
{
	pthread_t threads[3];

	CALLED();
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], 0, thread, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	for (int i = 0; i < 4; i++)
		jumps();
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < 5; i++)
		raise(SIGUSR1);
	rounds();
	for (int i = 0; i < 3; i++)
		count_line("count", i == 0 ? "mark: round 0" : i == 1 ? "mark: round 1" : "mark: round 2", 100);
	dwell_stop();
	dwell_mark("while it is off");
	dwell_start();
	for (int i = 0; i < 2; i++) {
		CALLED_AS("mark");
		dwell_mark(i ? "" : 0);
	}
	count_print();
	return 0;
}
