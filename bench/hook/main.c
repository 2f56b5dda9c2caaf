/* hook: what one instrumented call costs. It runs under bench/ring, which gives it a ring that nobody drains.
 *
 *   hook slices SECONDS   price of a call, recorded and turned off (slices.h)
 *   hook off SECONDS      price of a call that is turned off to begin with
 *   hook lap BYTES        price of a call while a ring of BYTES is filled for the first time: pages come
 *   hook count            instructions of an enter and an exit, counted one by one (count.h)
 *   hook calls N          nothing but N calls
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "count.h"
#include "leaf.h"
#include "slices.h"

static uint64_t time_calls(int (*call)(int), unsigned long n)
{
	uint64_t begin = read_clock();

	for (unsigned long i = 0; i < n; i++)
		call((int)i);
	return read_clock() - begin;
}

static uint64_t time_clocks(unsigned long n)
{
	uint64_t begin = read_clock();

	for (unsigned long i = 0; i < n; i++) {
		read_clock();
		read_clock();
	}
	return read_clock() - begin;
}

static void print_lap(unsigned long bytes)
{
	unsigned long calls = bytes / 16;
	uint64_t clocks = time_clocks(calls), hooked = time_calls(leaf_hooked, calls), bare = time_calls(leaf_bare, calls);

	printf("lap %.3f\n", (double)(hooked - bare) / (double)clocks);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	double number = argc > 2 ? atof(argv[2]) : 0;

	if (!strcmp(what, "slices") || !strcmp(what, "off")) {
		slices_run(number, !strcmp(what, "slices"));
		slices_print();
	} else if (!strcmp(what, "lap")) {
		print_lap((unsigned long)number);
	} else if (!strcmp(what, "calls")) {
		time_calls(leaf_hooked, (unsigned long)number);
	} else if (!strcmp(what, "count")) {
		return !count_print();
	} else {
		return 2;
	}
	return 0;
}
