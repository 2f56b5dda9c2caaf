/* diff_inner: what diff.c works out, for diff_table.c, which writes it. */
#ifndef DWELL_HOST_ANALYSIS_DIFF_DIFF_INNER_H
#define DWELL_HOST_ANALYSIS_DIFF_DIFF_INNER_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/diff/diff.h"
#include "analysis/diff/match_key.h"

/* One function of one run. */
struct diff_entry {
	uint32_t run, function; /* its id there */
	struct match_key key;
	uint64_t calls;
	double self, self_on_cpu;
	double deviation; /* standard error of its share, by sampling */
};

/* One run. */
struct diff_total {
	enum compare_side side;
	uint32_t place;  /* among all runs, those of OLD first */
	double self;     /* of all its functions */
	double samples;  /* of the same weight; INFINITY: none, it is exact */
};

struct diff_row {
	const char *name, *file; /* borrowed */
	char *longer;            /* name with file, where another row has that name; or null */
	double samples;          /* independent ones */
};

struct diff {
	struct diff_entry *entries;
	size_t entry_count, entry_capacity;
	struct diff_total *runs;
	uint32_t run_count, count[COMPARE_SIDES];
	size_t run_capacity;
	bool is_sampled, is_sums, has_times, not_on_cpu;
	struct match *matches; /* as many as entries */
	struct diff_row *rows;
	size_t row_count;
	double *numbers;
	struct compared *compared[DIFF_MEASURES], whole;
};

#endif
