/* comparison: reads runs of an old program and of a new one, one after the other, into a diff.
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
	double level;                      /* as in compare.h */
	const char *thread;                /* null: all threads */
	uint64_t jobs;                     /* jobs, input and watch as in struct trace, for every file */
	struct input_options input;
	const struct progress_watch *watch;

	/* Set by comparison_read. */
	struct diff *diff;
	struct clock_map clock; /* the clock of the first run */
	char unit[32];          /* the unit of the first run's weights: ns, ticks, or a word from the file */
	bool is_sampled, is_wall;
	enum dwell_sampling_engine engine;
	bool as_sums;           /* all runs are compared as sums, because one of them has only sums */
	bool is_uneven;         /* for some functions a run lacks calls that another run has */
	double samples[COMPARE_SIDES];

	/* Internal. */
	const char *first; /* path of the first run */
	bool needs_sums, doubts_program;
	uint64_t runs;
	uint64_t told;      /* number of runs whose warnings were given: a second reading does not repeat them */
	char left_out[300]; /* the calls left out of the first run, as described in the recording */
};

/* False with a diag: a file cannot be read, or has nothing to compare with the others. */
bool comparison_read(struct comparison *comparison, struct diag *diag);
void comparison_clear(struct comparison *comparison);

/* The steps of comparison_read, for a caller that opens the files itself: begin, add for each trace, end. If any trace has only
 * sums, this caller sets as_sums before begin. */
bool comparison_begin(struct comparison *comparison, struct diag *diag);
/* pre: the trace is read, with times as recorded (raw). Warns of its problems like health_warn. False with a diag, as above. */
bool comparison_add(struct comparison *comparison, struct trace *trace, enum compare_side side);
bool comparison_end(struct comparison *comparison, struct diag *diag);

/* The best measure for a verdict: time, if the variance between runs is known, or if both sides are single traces or sums; else
 * shares. */
enum diff_measure comparison_get_best(const struct comparison *comparison);
/* Null: the runs have this measure; else a text with the reason why not. */
const char *comparison_lacks(const struct comparison *comparison, enum diff_measure measure);

/* The kind of the times: "CPU time", "wall time", "what was counted". */
const char *comparison_time_name(const struct comparison *comparison);
/* "share", "time", "calls". */
const char *comparison_measure_name(enum diff_measure measure);
/* False: no measure has this name. */
bool comparison_find_measure(const char *name, enum diff_measure *measure);

#endif
