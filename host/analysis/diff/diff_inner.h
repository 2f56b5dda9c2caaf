/* diff_inner: struct diff, with the results of diff.c for the table of diff_table.c. */
#ifndef DWELL_HOST_ANALYSIS_DIFF_DIFF_INNER_H
#define DWELL_HOST_ANALYSIS_DIFF_DIFF_INNER_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/diff/diff.h"
#include "analysis/diff/match_key.h"

/* A function in a run. */
struct diff_entry {
	uint32_t run, function; /* function: the id in that run */
	struct match_key key;
	uint64_t calls;
	bool has_self;
	double self, self_on_cpu; /* in ns, or in the unit of weights */
	double total, total_on_cpu; /* with what the function calls */
	double deviation; /* standard error of its share, by sampling */
};

/* One run, without its functions. */
struct diff_run_sums {
	enum compare_side side;
	uint32_t place;  /* its number among all runs, those of the old program first */
	double self;     /* sum over all its functions */
	double samples;  /* independent samples of the same weight; INFINITY: exact */
};

/* A row of the table: a function of both programs, or of one. */
struct diff_row {
	const char *name, *file; /* borrowed */
	char *longer;            /* name with file, if another row has the same name; or null */
	double samples;          /* independent samples */
	bool has_own, has_total; /* self time, samples or calls in at least one run; total time in at least one run */
};

struct diff {
	struct diff_entry *entries;
	size_t entry_count, entry_capacity;
	struct diff_run_sums *runs;
	uint32_t run_count, count[COMPARE_SIDES];
	size_t run_capacity;
	bool is_sampled, is_sums, has_times, not_on_cpu;
	struct match *matches; /* one for each entry */
	struct diff_row *rows;
	size_t row_count;
	double *numbers; /* see numbers_of in diff.c */
	struct compared *compared[DIFF_MEASURES], whole;
};

/* Whether any run has a value of the row by this measure, 0 included. */
bool diff_has_row(const struct diff *diff, enum diff_measure measure, size_t row);
/* Whether a row shows a change: a proven one, or where nothing can be proven, any. */
bool diff_is_change(const struct compared *of);

#endif
