/* truth: a function that takes a known time, called in a loop; once with hooks and once without, in turns, so that whatever the
 * machine does meanwhile it does to both. Prints what the calls without took, by the processor time of the thread.
 *
 *     truth TURNS CALLS      truth CALLS NANOSECONDS of CALLS calls, each of so many turns of a chain of instructions */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 20
#define BARE __attribute__((noinline, no_instrument_function, aligned(64)))
#define HOOKED __attribute__((noinline, aligned(64)))

/* Each turn waits for the one before. */
static inline __attribute__((always_inline, no_instrument_function)) void chain(unsigned long turns)
{
	uint64_t x = turns;

	for (unsigned long i = 0; i < turns; i++) {
		x = x * 3 + 1;
		__asm__ volatile("" : "+r"(x));
	}
}

HOOKED static void work(unsigned long turns)
{
	chain(turns);
}

BARE static void bare_work(unsigned long turns)
{
	chain(turns);
}

HOOKED static void loop(unsigned long calls, unsigned long turns)
{
	for (unsigned long i = 0; i < calls; i++)
		work(turns);
}

BARE static void bare_loop(unsigned long calls, unsigned long turns)
{
	for (unsigned long i = 0; i < calls; i++)
		bare_work(turns);
}

__attribute__((no_instrument_function)) static uint64_t cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
	unsigned long turns = argc > 1 ? strtoul(argv[1], 0, 10) : 100, calls = argc > 2 ? strtoul(argv[2], 0, 10) / ROUNDS : 50000;
	uint64_t truth = 0, begin;

	for (int round = 0; round < ROUNDS; round++) {
		begin = cpu_ns();
		bare_loop(calls, turns);
		truth += cpu_ns() - begin;
		loop(calls, turns);
	}
	printf("truth %lu %llu\n", calls * ROUNDS, (unsigned long long)truth);
	return 0;
}
