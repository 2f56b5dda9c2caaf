/* interrupts [SECONDS]: what is taken from a program by interruptions that are too short for another program to have run.
 *
 *     0.0213 16.1 1290    share of its CPU time, median of one in microseconds, so many a second
 *
 * It reads the processor's counter all the time and looks at the gaps. So a sampler's cost is seen where other programs' noise
 * would hide it; what it does to caches is not in it. x86-64 only: else it prints nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __x86_64__
#include <x86intrin.h>

#define GAP_MIN_NS 800
#define GAP_MAX_NS 60000
#define GAPS_MAX 1000000u
#define READS 100000

static float gaps[GAPS_MAX]; /* ns */

static double now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double ticks_per_ns(void)
{
	double begin = now_ns(CLOCK_MONOTONIC);
	unsigned long long ticks = __rdtsc();

	while (now_ns(CLOCK_MONOTONIC) - begin < 5e7)
		;
	return (double)(__rdtsc() - ticks) / (now_ns(CLOCK_MONOTONIC) - begin);
}

static int compare(const void *a, const void *b)
{
	return (*(const float *)a > *(const float *)b) - (*(const float *)a < *(const float *)b);
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1, rate = ticks_per_ns(), begin = now_ns(CLOCK_THREAD_CPUTIME_ID), spent = 0,
	       sum = 0;
	unsigned long long least = (unsigned long long)(GAP_MIN_NS * rate), most = (unsigned long long)(GAP_MAX_NS * rate);
	size_t count = 0;

	while ((spent = now_ns(CLOCK_THREAD_CPUTIME_ID) - begin) < seconds * 1e9) {
		unsigned long long last = __rdtsc();

		for (int i = 0; i < READS; i++) {
			unsigned long long at = __rdtsc(), gap = at - last;

			last = at;
			if (gap < least || gap > most || count == GAPS_MAX)
				continue;
			gaps[count++] = (float)((double)gap / rate);
			sum += (double)gap / rate;
		}
	}
	qsort(gaps, count, sizeof *gaps, compare);
	printf("%.6f %.1f %.0f\n", sum / spent, count ? (double)gaps[count / 2] / 1000 : 0, (double)count * 1e9 / spent);
	return 0;
}
#else
int main(void)
{
	return 0;
}
#endif
