/* The clock that events are stamped with, bare. */
#ifndef DWELL_BENCH_CLOCK_H
#define DWELL_BENCH_CLOCK_H

#include <stdint.h>

static inline uint64_t read_clock(void)
{
#if defined(__x86_64__)
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
#error "bench/hook/clock.h: how to read the clock is not known for this processor"
#endif
}

#endif
