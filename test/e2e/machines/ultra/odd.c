/* odd closes|forks|mends: programs that do beside their profile what others do.
 *
 * closes: a library that has a segment is closed; until SIGUSR1. forks: the child profiles itself until 200 interrupts came, and
 * says how many ("child N"). mends: the error handler stops what runs, and says so ("mended CODE"). */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ultra64.h>

static OSProf segments[OSPROF_SEGMENTS_MAX];
static u32 count;
static volatile sig_atomic_t ended;

static void end(int number)
{
	(void)number;
	ended = 1;
}

static unsigned long counted(void)
{
	unsigned long sum = 0;

	for (u32 i = 0; i < count; i++)
		for (u32 k = 0; k < segments[i].histo_size; k++)
			sum += ((volatile u16 *)segments[i].histo_base)[k];
	return sum;
}

static void mend(s16 code, s16 arguments, ...)
{
	(void)arguments;
	osProfileStop();
	printf("mended %d\n", code);
}

static void begin(void)
{
	count = osProfileSegments(segments, OSPROF_SEGMENTS_MAX);
	osProfileInit(segments, count);
	osProfileStart(1000);
}

int main(int argc, char **argv)
{
	const char *does = argc > 1 ? argv[1] : "";
	int status = 0;

	signal(SIGUSR1, end);
	if (!strcmp(does, "closes")) {
		void *library = dlopen("./libratio.so", RTLD_NOW);

		if (!library)
			return 2;
		begin();
		dlclose(library);
		while (!ended)
			;
	} else if (!strcmp(does, "forks")) {
		begin();
		if (fork() == 0) {
			osProfileStop();
			begin();
			while (counted() < 200)
				;
			osProfileStop();
			printf("child %lu\n", counted());
			return 0;
		}
		wait(&status);
		osProfileStop();
	} else {
		osSetErrorHandler(mend);
		begin();
		osProfileInit(segments, count);
		osProfileInit(segments, count); /* which it may now */
	}
	return status;
}
