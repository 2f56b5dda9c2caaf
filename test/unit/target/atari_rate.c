/* How timer A of the Atari ST comes to a rate: at each that may be asked for. What is achieved is seen in
 * test/e2e/machines/atari.sh. */
#include "check.h"

#include "classic/target/atari/sampler.h"

#define TIMER_HZ 2457600.0

TEST(every_rate)
{
	static const unsigned prescales[] = {0, 4, 10, 16, 50, 64, 100, 200}; /* by the timer's number for it */
	double worst = 0, shortest = 1;

	for (uint32_t hz = 50; hz <= 1500; hz++) {
		struct sampler_rate rate = sampler_rate(hz);
		double mean = (rate.base + (rate.span - 1) / 2.0) * rate.periods * rate.prescale / TIMER_HZ;
		double spread = (rate.span - 1) / 2.0 / (rate.base + (rate.span - 1) / 2.0);
		double low = rate.base * rate.prescale / TIMER_HZ, error = mean * hz - 1;

		CHECK(rate.control >= 1 && rate.control <= 7 && rate.prescale == prescales[rate.control]);
		CHECK(rate.base >= 1 && rate.base + rate.span - 1 <= 256); /* 256 is the timer's 0 */
		CHECK(rate.span % 2 == 1);
		CHECK(rate.periods == 1 ? spread > 0.58 && spread <= 0.6 : rate.periods == 2 && spread > 0.88 && spread <= 0.9);
		if (error < 0)
			error = -error;
		worst = error > worst ? error : worst;
		shortest = rate.periods == 1 && low < shortest ? low : shortest;
	}
	printf("# mean off by at most %.4f; shortest period %.0f us\n", worst, shortest * 1e6);
	CHECK(worst < 0.01);
	CHECK(shortest > 200e-6); /* the interrupt takes 160 of them */
}

int main(void)
{
	RUN(every_rate);
	return tap_done();
}
