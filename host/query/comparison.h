/* comparison: reads runs of an old program and of a new one, one after the other, into a diff. For `dwell diff`, and for
 * `dwell html OLD NEW`.
 *
 *     struct comparison comparison = {.files = {old, new}, .counts = {1, 1}, .level = 0.95};
 *     if (comparison_read(&comparison, diag))
 *             diff_write(comparison.diff, …);
 *     comparison_clear(&comparison);
 *
 * Or for two traces that the caller has read anyway:
 *
 *     comparison_begin(&comparison, diag);
 *     comparison_add(&comparison, &old_trace, COMPARE_OLD);
 *     …
 *     comparison_end(&comparison, diag); */
#ifndef DWELL_HOST_QUERY_COMPARISON_H
#define DWELL_HOST_QUERY_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/diff/diff.h"
#include "query/trace.h"

struct comparison {
	/* Set by the caller; all borrowed. */
	char *const *files[COMPARE_SIDES]; /* paths */
	size_t counts[COMPARE_SIDES];      /* number of paths, at least one */
	double level;                      /* 0.95: of 100 comparisons of equal programs, 95 report no change (compare.h) */
	const char *thread;                /* null: all threads */
	uint64_t jobs;                     /* jobs, input and watch as in struct trace, for every file */
	struct input_options input;
	const struct progress_watch *watch;

	/* Set by comparison_read. */
	struct diff *diff;      /* owned; comparison_clear frees it */
	struct clock_map clock; /* the clock of the first run */
	char unit[32];          /* the unit of the first run's weights: ns, ticks, or a word from the file */
	bool is_sampled, is_wall; /* all runs are samples; the samples measure wall-clock time, not CPU time */
	enum dwell_sampling_engine engine; /* of the first run; 0: not sampled */
	bool as_sums;           /* all runs are compared as sums, because one of them has only sums */
	bool has_cost;          /* times of a run hold a known cost of recording, which a report subtracts */
	bool is_uneven;         /* for some functions a run lacks calls that another run has */
	double samples[COMPARE_SIDES]; /* number of samples of all runs of a side */

	/* Internal. */
	const char *first; /* path of the first run */
	/* needs_sums: a run has only sums, so all runs must be read again, as sums. has_program_warning: trace_check_program has
	 * warned. */
	bool needs_sums, has_program_warning;
	uint64_t runs;      /* number of runs added, in this reading */
	uint64_t warned_runs;      /* number of runs with warnings added: a second reading does not repeat warnings */
	char left_out[300]; /* the calls left out of the first run, as described in the recording */
};

/* False with a diag: a file cannot be read, or cannot be compared with the first run. */
bool comparison_read(struct comparison *comparison, struct diag *diag);
/* Frees diff. Call it in either case. */
void comparison_clear(struct comparison *comparison);

/* The steps of comparison_read, for a caller that opens the files itself: begin, add for each trace, end. If any trace has only
 * sums, this caller sets as_sums before begin. */
bool comparison_begin(struct comparison *comparison, struct diag *diag);
/* pre: the trace is read, with times as recorded (raw). Adds warnings, as health_warn does. False with a diag: the
 * trace cannot be compared with the first run, or memory ran out. */
bool comparison_add(struct comparison *comparison, struct trace *trace, enum compare_side side);
/* Computes the verdicts. False with a diag: memory ran out. */
bool comparison_end(struct comparison *comparison, struct diag *diag);

/* The best measure for a verdict: time, if the variance between runs is known, or if both sides are single traces or sums; else
 * shares. */
enum diff_measure comparison_get_best_measure(const struct comparison *comparison);
/* Null: all runs have this measure. Otherwise the reason why a run lacks the measure. */
const char *comparison_find_problem(const struct comparison *comparison, enum diff_measure measure);

/* The kind of the times: "CPU time", "wall time", "what was counted". */
const char *comparison_time_name(const struct comparison *comparison);
/* "share", "time", "calls", "total". */
const char *comparison_measure_name(enum diff_measure measure);
/* False: no measure has this name. */
bool comparison_find_measure(const char *name, enum diff_measure *measure);

#endif
