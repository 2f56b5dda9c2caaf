/* shares: functions that are called as often and take as long as programs' functions do, from a few instructions to a tenth of a
 * millisecond; each once with hooks and once without, in turns, so that whatever the machine does meanwhile it does to both. Prints
 * what each took without hooks, by the processor time of the thread: what a report should say that they took with their run_…
 *
 *     shares [ROUNDS]      tight NANOSECONDS PERCENT, and so on: percent of all of them */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

/* NAME, which takes TURNS, called CALLS times from run_NAME; and both without hooks. */
#define KIND(name, turns, calls)                                                                                                   \
	HOOKED static void name(void)                                                                                              \
	{                                                                                                                          \
		chain(turns);                                                                                                      \
	}                                                                                                                          \
	HOOKED static void run_##name(void)                                                                                        \
	{                                                                                                                          \
		for (unsigned long i = 0; i < (calls); i++)                                                                        \
			name();                                                                                                    \
	}                                                                                                                          \
	BARE static void bare_##name(void)                                                                                         \
	{                                                                                                                          \
		chain(turns);                                                                                                      \
	}                                                                                                                          \
	BARE static void run_bare_##name(void)                                                                                     \
	{                                                                                                                          \
		for (unsigned long i = 0; i < (calls); i++)                                                                        \
			bare_##name();                                                                                             \
	}

KIND(tight, 1, 50000)
KIND(brief, 60, 8000)
KIND(middle, 400, 2000)
KIND(longer, 8000, 400)
KIND(rare, 400000, 4)

__attribute__((no_instrument_function)) static uint64_t cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*hooked)(void), (*bare)(void);
	} kinds[] = {{"tight", run_tight, run_bare_tight}, {"brief", run_brief, run_bare_brief},
		{"middle", run_middle, run_bare_middle}, {"longer", run_longer, run_bare_longer},
		{"rare", run_rare, run_bare_rare}};
	enum { COUNT = sizeof kinds / sizeof *kinds };
	uint64_t took[COUNT] = {0}, all = 0;

	for (long round = argc > 1 ? atol(argv[1]) : 20; round > 0; round--)
		for (int i = 0; i < COUNT; i++) {
			uint64_t begin = cpu_ns();

			kinds[i].bare();
			took[i] += cpu_ns() - begin;
			kinds[i].hooked();
		}
	for (int i = 0; i < COUNT; i++)
		all += took[i];
	for (int i = 0; i < COUNT; i++)
		printf("%s %llu %.2f\n", kinds[i].name, (unsigned long long)took[i], 100.0 * (double)took[i] / (double)all);
	return 0;
}
