/* The plain case, for every way of compiling and linking: a few functions, calls through pointers, a static and an inline one. */
#include <stdlib.h>

#include "../count.h"

static volatile unsigned long sink;

static inline unsigned long mix(unsigned long value)
{
	CALLED();
	return value * 6364136223846793005ul + 1442695040888963407ul;
}

static int by_value(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	CALLED();
	return x < y ? -1 : x > y;
}

static unsigned long fill(unsigned long *values, unsigned long count)
{
	unsigned long state = 1;

	CALLED();
	for (unsigned long i = 0; i < count; i++)
		values[i] = state = mix(state);
	return state;
}

static void sort(unsigned long *values, unsigned long count)
{
	CALLED();
	qsort(values, count, sizeof values[0], by_value);
}

int main(int argc, char **argv)
{
	static unsigned long values[2000];
	unsigned long rounds = argc > 1 ? strtoul(argv[1], 0, 10) : 10;

	CALLED();
	for (unsigned long round = 0; round < rounds; round++) {
		sink += fill(values, 2000);
		sort(values, 2000);
	}
	count_print();
	return 0;
}
