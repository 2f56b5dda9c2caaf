/* chance: the two distributions that decide whether a difference is more than chance: the normal one, and Student's for who knows how
 * much things vary from a few runs only. */
#ifndef DWELL_HOST_ANALYSIS_DIFF_CHANCE_H
#define DWELL_HOST_ANALYSIS_DIFF_CHANCE_H

/* freedom: degrees of freedom, above 0; INFINITY is the normal distribution. */

/* How often a value is as far from 0 as t, in either direction. Down to 1e-300. */
double chance_both_tails(double t, double freedom);
/* The t that is exceeded, in one direction, that often. pre: 0 < tail <= 0.5. */
double chance_quantile(double tail, double freedom);

/* The derivatives of the logarithm of the gamma function: mean and variance of the logarithm of a variance that was found from few
 * values. x above 0. */
double chance_digamma(double x);
double chance_trigamma(double x);
/* pre: y above 0. */
double chance_trigamma_inverse(double y);

#endif
