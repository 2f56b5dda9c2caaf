/* Functions that work in few of their calls.
 *
 *     seldom many    many() adds for a millisecond and makes 3,000 calls of nothing, a hundred times; other() adds a tenth as much
 *     seldom few     the same, but all of its calls of nothing are in three of the hundred
 *     seldom slow    six functions of some 50 ns, each of which works a few hundred µs in one of 500 calls
 *     seldom sleep   the same, but they sleep */
#include <stdio.h>
#include <string.h>
#include <time.h>

#define APART __attribute__((noinline))

static volatile double sink;
static volatile int number;

APART static void nothing(double x)
{
	sink += x;
}

APART static double many(int calls)
{
	double sum = 0;

	for (int i = 0; i < 400000; i++)
		sum += 1.0 / (i + 1.5);
	for (int i = 0; i < calls; i++)
		nothing(sum);
	return sum;
}

APART static double other(double from)
{
	double sum = from;

	for (int i = 0; i < 4000000; i++)
		sum += 1.0 / (i + 1.5);
	return sum;
}

static void pause_or_work(int sleeps)
{
	struct timespec time = {0, 1000000};

	if (sleeps)
		nanosleep(&time, NULL);
	for (int i = 0; !sleeps && i < 400000; i++)
		number += i;
}

#define SIX(name)                                                                                                                  \
	APART static void name(int i, int sleeps)                                                                                  \
	{                                                                                                                          \
		for (int k = 0; k < 20; k++)                                                                                       \
			number += k;                                                                                               \
		if (i % 500 == 250)                                                                                                \
			pause_or_work(sleeps);                                                                                     \
	}
SIX(first)
SIX(second) SIX(third) SIX(fourth) SIX(fifth) SIX(sixth)

	int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "many";

	if (!strcmp(what, "many") || !strcmp(what, "few")) {
		for (int i = 0; i < 100; i++)
			sink += many(!strcmp(what, "many") ? 3000 : i % 40 == 0 ? 100000 : 0);
		sink += other(sink);
		return 0;
	}
	for (int i = 0; i < 20000; i++) {
		int sleeps = !strcmp(what, "sleep");

		first(i, sleeps), second(i, sleeps), third(i, sleeps), fourth(i, sleeps), fifth(i, sleeps), sixth(i, sleeps);
	}
	puts("done");
	return 0;
}
