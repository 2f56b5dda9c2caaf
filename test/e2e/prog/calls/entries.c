/* Functions with hooks at their entries alone, called by such, by some that have both, by some without any, and by the C library.
 * TIMED has both, from -finstrument-functions; the command line gives the others their entries. */
#include <stdint.h>
#include <stdlib.h>

#include "../count.h"

#define COUNTED __attribute__((no_instrument_function, noinline))
#define TIMED __attribute__((patchable_function_entry(0), noinline))

static volatile uint64_t sink;

COUNTED void leaf(uint64_t x)
{
	CALLED();
	sink += x;
}

COUNTED int many(int a, int b, int c, int d, int e, int f, double g, double h)
{
	CALLED();
	leaf((uint64_t)a);
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + (int)(7 * g + 8 * h);
}

COUNTED int by_value(const void *a, const void *b)
{
	CALLED();
	return *(const int *)a - *(const int *)b;
}

TIMED void inner(void)
{
	CALLED();
	leaf(3);
	sink++;
}

COUNTED void between(void)
{
	CALLED();
	inner();
	leaf(4);
}

TIMED void outer(int times)
{
	CALLED();
	for (int i = 0; i < times; i++)
		between();
	leaf(5);
}

UNHOOKED __attribute__((noinline)) void unhooked(void)
{
	leaf(6);
	sink++;
}

COUNTED int deep(int n)
{
	CALLED();
	return n ? deep(n - 1) + 1 : 0;
}

COUNTED int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 10, numbers[64];

	CALLED();
	for (int i = 0; i < times; i++) {
		if (many(1, 2, 3, 4, 5, 6, 7.0, 8.0) != 91 + 49 + 64)
			return 1;
		outer(3);
		unhooked();
	}
	if (deep(50) != 50)
		return 1;
	for (int i = 0; i < 64; i++)
		numbers[i] = (i * 37) % 64;
	qsort(numbers, 64, sizeof *numbers, by_value);
	count_print();
	return 0;
}
