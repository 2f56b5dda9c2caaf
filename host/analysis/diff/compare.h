/* compare: decides which of many quantities have changed between an old and a new program. A quantity is, for example, the share of
 * one function; it was measured in one or more runs of each program. For diff.c.
 *
 * The error of a change has two sources. Within a run, the quantity was estimated from samples. Between runs, the quantity varies;
 * this variance can be estimated from at least four runs in all (two degrees of freedom). The larger error counts. A few runs show
 * little about the variance of one quantity. So compare also uses, with a weight, the variance common to all quantities. The weight
 * follows from how different the quantities are: an inverse gamma distribution around the common variance, its width by the moments
 * of logarithms. With one run of each program and no samples, the variance between runs is unknown: such a change is a fact about
 * the two runs.
 *
 * Among three hundred functions a few seem to change by chance. So compare corrects the probabilities by Holm's method: of all
 * comparisons of equal programs, at most the part 1 − level reports any change. Why Holm's method, and not a limit on the rate of
 * false reports (Benjamini and Hochberg): a single false report may stop a build. Also, Holm's method holds for any dependence
 * between quantities, and shares depend on each other because shares sum to 1. A quantity with too few samples to show a change,
 * whatever the outcome (such as eight samples in all), does not count among the tested quantities (Tarone). Intervals are as wide
 * as the correction requires: an interval without 0 proves a change. */
#ifndef DWELL_HOST_ANALYSIS_DIFF_COMPARE_H
#define DWELL_HOST_ANALYSIS_DIFF_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPARE_POWER 0.8

enum compare_side { COMPARE_OLD, COMPARE_NEW, COMPARE_SIDES };

enum compare_verdict {
	COMPARE_CANNOT_TELL, /* the quantity may or may not have changed */
	COMPARE_ROSE,
	COMPARE_FELL,
};

struct compared {
	/* For each side a value for each run, none below 0; borrowed. */
	const double *values[COMPARE_SIDES];
	const double *variances[COMPARE_SIDES]; /* variances of the values, by sampling; 0: exact */
	double samples;                         /* independent samples of both sides together; INFINITY: exact */
	double smaller;                         /* part of all samples on the side with fewer samples; 0: a half */

	/* Results. */
	double mean[COMPARE_SIDES], change;
	bool is_known;    /* the error is known; otherwise low, high, error, freedom and can_show are 0, p is 1, and change holds */
	double low, high; /* the interval around the true change */
	double error;     /* standard error of the change */
	double freedom;   /* degrees of freedom of error */
	double p;         /* corrected: how often any quantity would change as much if none had changed */
	double can_show;  /* the smallest change that 80 of 100 such comparisons would prove */
	bool counts;      /* the quantity is among the tested quantities: the runs could have proven a change */
	enum compare_verdict verdict;
};

/* Fills in the results. runs: number of runs of each side. level: the confidence, such as 0.95. False: memory ran out. */
bool compare(struct compared *list, size_t count, const uint32_t runs[COMPARE_SIDES], double level);

#endif
