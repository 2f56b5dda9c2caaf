/* comparison: runs of an old program and of a new one, read one after the other into a diff.
 *
 *     struct comparison comparison = {.files = {old, new}, .counts = {1, 1}, .level = 0.95};
 *     if (comparison_read(&comparison, diag))
 *             diff_write(comparison.diff, …);
 *     comparison_clear(&comparison);
 *
 * Or of one run of each that the caller reads for something else, too:
 *
 *     comparison_begin(&comparison, diag); comparison_add(&comparison, &old_trace, COMPARE_OLD); …; comparison_end(&comparison, diag);
 */
#ifndef DWELL_HOST_QUERY_COMPARISON_H
#define DWELL_HOST_QUERY_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/diff/diff.h"
#include "query/trace.h"

struct comparison {
	/* As it is asked; all borrowed. */
	char *const *files[COMPARE_SIDES]; /* paths */
	size_t counts[COMPARE_SIDES];      /* of them: one at least */
	double level;                      /* as in compare.h */
	const char *thread;                /* null: all */
	uint64_t jobs;                     /* these three as in struct trace, for every file */
	struct input_options input;
	const struct progress_watch *watch;

	/* Found by comparison_read. */
	struct diff *diff;
	struct clock_map clock; /* of the first run, as is … */
	char unit[32];          /* … what its weights are: ns, ticks or the file's own word */
	bool is_sampled, is_wall;
	enum dwell_sampling_engine engine;
	bool as_sums;           /* all of them are taken as sums, since one of them is no more than that */
	bool is_uneven;         /* of some functions one run has not the calls that another has */
	double samples[COMPARE_SIDES];

	/* Its own. */
	const char *first; /* path */
	bool needs_sums, doubts_program;
	uint64_t runs;
	uint64_t told;      /* the first ones, of which all was said, though they are read again */
	char left_out[300]; /* by the first one */
};

/* False and a diag: one cannot be read, or has nothing that can be compared with the others. */
bool comparison_read(struct comparison *comparison, struct diag *diag);
void comparison_clear(struct comparison *comparison);

/* These three are what comparison_read does with each file. as_sums: set before, if either of the traces is sums alone. */
bool comparison_begin(struct comparison *comparison, struct diag *diag);
/* pre: the trace is read, raw. Warns of what is wrong with it, as health_warn does. False and a diag as above. */
bool comparison_add(struct comparison *comparison, struct trace *trace, enum compare_side side);
bool comparison_end(struct comparison *comparison, struct diag *diag);

/* What the verdict is best of: time where how runs differ is known, or it is a fact; else shares. */
enum diff_measure comparison_get_best(const struct comparison *comparison);
/* Null; or why the runs have no such measure. */
const char *comparison_lacks(const struct comparison *comparison, enum diff_measure measure);

/* What its times are: "CPU time", "wall time", "what was counted". */
const char *comparison_time_name(const struct comparison *comparison);
/* "share", "time", "calls". */
const char *comparison_measure_name(enum diff_measure measure);
/* False: there is none of that name. */
bool comparison_find_measure(const char *name, enum diff_measure *measure);

#endif
