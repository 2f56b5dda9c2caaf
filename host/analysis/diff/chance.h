/* chance: the probability functions of compare.c, which decide whether a difference exceeds chance: the normal distribution, and
 * Student's distribution, for a variance estimated from a few runs. */
#ifndef DWELL_HOST_ANALYSIS_DIFF_CHANCE_H
#define DWELL_HOST_ANALYSIS_DIFF_CHANCE_H

/* freedom: degrees of freedom, above 0; INFINITY: the normal distribution. */

/* The probability of a value at least as far from 0 as t, above or below 0. Accurate down to 1e-300. */
double chance_both_tails(double t, double freedom);
/* The t that a value exceeds with probability tail. pre: 0 < tail <= 0.5. */
double chance_quantile(double tail, double freedom);

/* The first and second derivatives of the logarithm of the gamma function: mean and variance of the logarithm of a variance that
 * was estimated from few values. x must be above 0. */
double chance_digamma(double x);
double chance_trigamma(double x);
/* The x whose trigamma is y. pre: y > 0. */
double chance_trigamma_inverse(double y);

#endif
