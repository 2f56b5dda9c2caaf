/* SPDX-License-Identifier: MIT */
#include "classic/target/atari/sampler.h"

#define TIMER_HZ 2457600u
#define COUNT_MAX 256u
#define SLOW_HZ 80u

/* Why periods spread by 60 %: if the program is in step with the mean period, phases of consecutive samples correlate
 * by sin(x) / x, x = 2π × the spread. With a spread of 30 % the correlation is 0.5, and the error is 1.7 times the
 * error of independent samples. From 50 to 100 % the correlation is 0, or slightly negative. With 60 % the shortest
 * period at 1500 Hz is still longer than the interrupt. Slow rates have two periods a sample, each with 90 %. */
struct sampler_rate sampler_rate(uint32_t hz)
{
	static const uint8_t prescales[] = {4, 10, 16, 50, 64, 100, 200};
	struct sampler_rate rate = {.periods = hz < SLOW_HZ ? 2 : 1};
	uint32_t tenths = rate.periods == 1 ? 6 : 9, count, spread;

	hz *= rate.periods;
	do { /* the smallest divisor with which the longest period fits */
		rate.prescale = prescales[rate.control++];
		count = (TIMER_HZ / rate.prescale + hz / 2) / hz;
	} while (count + count * tenths / 10 > COUNT_MAX && rate.control < sizeof prescales);
	spread = count * tenths / 10;
	rate.base = (uint16_t)(count - spread);
	rate.span = (uint16_t)(2 * spread + 1);
	return rate;
}
