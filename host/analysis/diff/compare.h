/* compare: many quantities, each measured in some runs of an old program and in some of a new one: which of them have changed?
 *
 * How far a change may be from what was seen is known from two sources: within a run, where the quantity was estimated from samples; and
 * between runs, where there are four in all (two degrees of freedom). The larger counts. What few runs tell of one quantity is
 * little, so that what all quantities tell of how runs vary is taken for as much as it is worth: how much that is is found from how
 * different they are (an inverse gamma distribution around the common variance, its width by the moments of logarithms). With one run of
 * each, and no samples, nothing is known of how runs vary: such a change is a fact of those runs.
 *
 * Who looks at three hundred functions at once sees a few changes that are none. So the probabilities are corrected by Holm's method: in at
 * most 1 − level of all comparisons of equal programs is there any quantity that is said to have changed. That, and not a rate of wrong
 * ones among those found (Benjamini and Hochberg), since each one alone may stop a build; and it holds whatever the quantities have to do
 * with each other, which shares, that sum up to 1, have. Quantities of which no outcome could have shown a change, as there were eight
 * samples in all, do not count among those that were looked at (Tarone). Intervals are as wide as the correction has it: one that does
 * not hold 0 is a change that is proven. */
#ifndef DWELL_HOST_ANALYSIS_DIFF_COMPARE_H
#define DWELL_HOST_ANALYSIS_DIFF_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPARE_POWER 0.8

enum compare_side { COMPARE_OLD, COMPARE_NEW, COMPARE_SIDES };

enum compare_verdict {
	COMPARE_CANNOT_TELL, /* perhaps it changed, perhaps not */
	COMPARE_ROSE,
	COMPARE_FELL,
};

struct compared {
	/* Of each run, none below 0; borrowed. */
	const double *values[COMPARE_SIDES];
	const double *variances[COMPARE_SIDES]; /* of the value, by sampling; 0: it is exact */
	double samples;                         /* independent ones, of both together; INFINITY: exact */
	double smaller;                         /* part of all samples that the side with fewer of them has; 0: a half */

	/* What comes out. */
	double mean[COMPARE_SIDES], change;
	bool is_known;    /* how far it may be from the truth: else the following are 0 */
	double low, high; /* between these is the true change */
	double error;     /* standard error of the change … */
	double freedom;   /* … and how well that is known */
	double p;         /* corrected: how often so much is seen of anything where nothing has changed */
	double can_show;  /* the smallest change that would be proven in 80 of 100 comparisons like this one */
	bool counts;      /* it is among those looked at: a change of it could have been proven */
	enum compare_verdict verdict;
};

/* level: 0.95. False: no memory. */
bool compare(struct compared *list, size_t count, const uint32_t runs[COMPARE_SIDES], double level);

#endif
