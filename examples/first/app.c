/* A program to try dwell on: counts the primes below a limit in two ways, on two threads. One way is slow; which, and why? */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* What is inlined is no call, and is not in the report. In a program as small as this, that would be most of it. GCC would also
 * make copies of functions, with names such as count_by_trial.constprop.0. */
#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

static unsigned limit = 20000;

NOINLINE static bool divides(unsigned divisor, unsigned number)
{
	return number % divisor == 0;
}

NOINLINE static bool is_prime(unsigned number)
{
	for (unsigned divisor = 2; divisor * divisor <= number; divisor++)
		if (divides(divisor, number))
			return false;
	return number > 1;
}

NOINLINE static void *count_by_trial(void *result)
{
	unsigned count = 0;

	for (unsigned number = 0; number < limit; number++)
		count += is_prime(number);
	*(unsigned *)result = count;
	return NULL;
}

NOINLINE static void cross_out(bool *crossed, unsigned prime)
{
	for (unsigned number = prime * prime; number < limit; number += prime)
		crossed[number] = true;
}

NOINLINE static void *count_by_sieve(void *result)
{
	bool *crossed = calloc(limit, sizeof *crossed);
	unsigned count = 0;

	if (!crossed)
		return NULL;
	for (unsigned number = 2; number < limit; number++) {
		if (crossed[number])
			continue;
		count++;
		if (number <= limit / number)
			cross_out(crossed, number);
	}
	free(crossed);
	*(unsigned *)result = count;
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned trial = 0, sieve = 0;
	pthread_t thread;

	if (argc > 1)
		limit = (unsigned)strtoul(argv[1], NULL, 10);
	if (pthread_create(&thread, NULL, count_by_sieve, &sieve))
		return 1;
	count_by_trial(&trial);
	pthread_join(thread, NULL);
	printf("%u primes below %u by trial, %u by sieve\n", trial, limit, sieve);
	return trial != sieve;
}
