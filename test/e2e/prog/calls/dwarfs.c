/* The seven dwarfs of the profiler's manual of 1987: 1, 2, 1, 4, 1, 2 and 1 of 12 parts. Prints the CPU time that each took, as a
 * processor need not run the same loop as fast everywhere. dwarfs [SIZE OF A PART [leave | sleep]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long part = 40000000;

#define DWARF(name, parts)                                               \
	__attribute__((noinline, aligned(64))) static void name(void)    \
	{                                                                \
		for (volatile long i = 0; i < (parts) * part; i++)       \
			;                                                \
	}
DWARF(dopey, 1)
DWARF(grumpy, 2)
DWARF(doc, 1)
DWARF(sleepy, 4)
DWARF(bashful, 1)
DWARF(happy, 2)
DWARF(sneezy, 1)

static long cpu_us(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*work)(void);
	} dwarfs[] = {{"dopey", dopey}, {"grumpy", grumpy}, {"doc", doc}, {"sleepy", sleepy}, {"bashful", bashful}, {"happy", happy},
		{"sneezy", sneezy}};

	if (argc > 1)
		part = atol(argv[1]);
	for (int i = 0; i < 7; i++) {
		long before = cpu_us();

		dwarfs[i].work();
		printf("took %s %ld\n", dwarfs[i].name, cpu_us() - before);
	}
	fflush(stdout);
	if (argc > 2 && !strcmp(argv[2], "sleep"))
		sleep(1);
	if (argc > 2 && !strcmp(argv[2], "leave") && fork() == 0) {
		fclose(stdout);
		sleep(2);
		_exit(0);
	}
	return argc > 2 ? 3 : 0;
}
