/* chance: computes Student's distribution by the incomplete beta function. */
#include "analysis/diff/chance.h"

#include <math.h>

#define STEPS_MAX 400

/* The continued fraction of the incomplete beta function, by Lentz's method. Converges for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	h = d;
	for (int m = 1; m < STEPS_MAX; m++) {
		double terms[2] = {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
			-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))};
		double before = h;

		for (int i = 0; i < 2; i++) {
			d = 1 + terms[i] * d;
			c = 1 + terms[i] / c;
			d = 1 / (fabs(d) < tiny ? tiny : d);
			c = fabs(c) < tiny ? tiny : c;
			h *= c * d;
		}
		if (fabs(h - before) < 1e-15 * fabs(h))
			break;
	}
	return h;
}

/* The regularised incomplete beta function. y = 1 − x is passed, too: if x is near 1, a difference would lose its digits. */
static double beta(double a, double b, double x, double y)
{
	double front;

	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, y) / b;
}

double chance_both_tails(double t, double freedom)
{
	double square = t * t;

	if (isinf(t))
		return 0;
	if (freedom > 1e6)
		return erfc(fabs(t) / sqrt(2));
	return beta(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square));
}

/* By bisection: a few microseconds, and no special cases. */
double chance_quantile(double tail, double freedom)
{
	double low = 0, high = 1;

	while (chance_both_tails(high, freedom) > 2 * tail && high < 1e300)
		high *= 2;
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (chance_both_tails(middle, freedom) > 2 * tail)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* Moves x up by recurrences to where the asymptotic series is accurate. */
double chance_digamma(double x)
{
	double sum = 0, square;

	for (; x < 10; x++)
		sum -= 1 / x;
	square = 1 / (x * x);
	return sum + log(x) - 0.5 / x - square * (1.0 / 12 - square * (1.0 / 120 - square * (1.0 / 252 - square / 240)));
}

double chance_trigamma(double x)
{
	double sum = 0, square;

	for (; x < 10; x++)
		sum += 1 / (x * x);
	square = 1 / (x * x);
	return sum + 1 / x + square / 2 + square / x * (1.0 / 6 - square * (1.0 / 30 - square * (1.0 / 42 - square / 30)));
}

double chance_trigamma_inverse(double y)
{
	double low = 1e-9, high = 1e9; /* the function falls */

	for (int i = 0; i < 100; i++) {
		double middle = sqrt(low * high);

		if (chance_trigamma(middle) > y)
			low = middle;
		else
			high = middle;
	}
	return sqrt(low * high);
}
