/* What a program took, printed by itself: a checksum, processor seconds of all its threads, wall seconds. */
#ifndef DWELL_BENCH_TOOK_H
#define DWELL_BENCH_TOOK_H

#include <stdio.h>
#include <time.h>

struct took {
	double cpu, wall;
};

__attribute__((no_instrument_function)) static inline double took_now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

__attribute__((no_instrument_function)) static inline struct took took_begin(void)
{
	return (struct took){took_now(CLOCK_PROCESS_CPUTIME_ID), took_now(CLOCK_MONOTONIC)};
}

__attribute__((no_instrument_function)) static inline void took_print(const struct took *took, unsigned long checksum)
{
	printf("%016lx %.6f %.6f\n", checksum, took_now(CLOCK_PROCESS_CPUTIME_ID) - took->cpu, took_now(CLOCK_MONOTONIC) - took->wall);
}

#endif
